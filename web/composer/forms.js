/** Registers the form of every kind. */
import "./app-form.js";
import "./link-form.js";
import "./list-form.js";
import "./myapp-form.js";
import "./payment-form.js";
import "./quick-reply-form.js";
import "./raw-form.js";
import "./text-form.js";
import "./time-form.js";
