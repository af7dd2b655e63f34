/** The elements that an open conversation is made of; `loadConversation` loads them. */
import "../composer/desk-composer.js";
import "../thread/desk-thread.js";
import "./control-bar.js";
import "./conversation-head.js";
import "./note-box.js";
import "./side-column.js";
