/* For memmem. */
#define _GNU_SOURCE
#include "cxml.h"

#include <cloading.h>
#include <libxml/c14n.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlIO.h>
#include <string.h>

/* What is used of libxml2. */
#define FUNCTIONS(X)                                                                               \
    X(xmlInitParser) X(xmlReadMemory) X(xmlFreeDoc) X(xmlDocGetRootElement) X(xmlC14NExecute)      \
    X(xmlOutputBufferCreateIO) X(xmlOutputBufferClose) X(xmlSetStructuredErrorFunc)

struct functions {
#define POINTER(name) __typeof__(name) *name;
    FUNCTIONS(POINTER)
};

static struct functions xml;
#define NAME_OF(name) #name,
static const char *const names[] = {FUNCTIONS(NAME_OF)};
_Static_assert(sizeof names == sizeof xml, "a name is missing, or a function");

/* Once, before threads share it. */
static int begin(const void *found, const char *library, char *fault, size_t room) {
    (void)library;
    (void)fault;
    (void)room;
    struct functions with;
    memcpy(&with, found, sizeof with);
    with.xmlInitParser();
    return 0;
}

static struct frontdesk_library libxml2 = {
    .names = names,
    .count = sizeof names / sizeof *names,
    .functions = &xml,
    .begin = begin,
    .lock = PTHREAD_MUTEX_INITIALIZER};

int frontdesk_xml_load(const char *library, char *fault, size_t room) {
    return frontdesk_load(&libxml2, library, fault, room);
}

/* What libxml2 finds wrong is said by what is returned, and not on standard error, which is the log. Each
   thread has a function of its own for it. */
static void ignore(void *context, xmlErrorPtr fault) {
    (void)context;
    (void)fault;
}

/* What a canonical form is made of is compared with all that is beside it and around it: attributes of an
   element, namespaces that hold in one place, levels; and bytes of the names of namespaces. */
#define MOST_ATTRIBUTES 64
#define MOST_IN_SCOPE 32
#define MOST_LEVELS 32
#define MOST_PREFIX_BYTES 32
#define MOST_ADDRESS_BYTES 256

/* How many attributes and namespaces an element has; more than any document may where one of them is too
   long or there are too many. */
static int count_of(xmlNodePtr node, int too_many) {
    int attributes = 0, spaces = 0;
    for (xmlAttrPtr each = node->properties; each; each = each->next) attributes++;
    for (xmlNsPtr each = node->nsDef; each; each = each->next, spaces++) {
        if (each->prefix && strlen((const char *)each->prefix) > MOST_PREFIX_BYTES) return too_many;
        if (each->href && strlen((const char *)each->href) > MOST_ADDRESS_BYTES) return too_many;
    }
    return attributes > MOST_ATTRIBUTES ? too_many : attributes + spaces;
}

/* How many namespaces an element declares. */
static int spaces_of(xmlNodePtr node) {
    int count = 0;
    if (node->type == XML_ELEMENT_NODE)
        for (xmlNsPtr each = node->nsDef; each; each = each->next) count++;
    return count;
}

/* Whether a document has at most so many elements, attributes and namespaces, and in no place so many that
   its canonical form would need much time. */
static int is_small(xmlNodePtr root, int most) {
    xmlNodePtr node = root;
    int levels = 1, in_scope = 0;
    while (node) {
        if (--most < 0) return 0;
        if (node->type == XML_ELEMENT_NODE) {
            most -= count_of(node, most + 1);
            if (most < 0 || in_scope + spaces_of(node) > MOST_IN_SCOPE) return 0;
            if (node->children) {
                in_scope += spaces_of(node);
                if (++levels > MOST_LEVELS) return 0;
                node = node->children;
                continue;
            }
        }
        while (node != root && !node->next) {
            node = node->parent;
            in_scope -= spaces_of(node);
            levels--;
        }
        node = node == root ? NULL : node->next;
    }
    return 1;
}

/* Most attributes of an element, namespaces of a document, and pieces of it, before it is read: the parser
   compares each with others. */
#define MOST_SIGNS 256
#define MOST_SPACES 2048
#define MOST_PIECES 20000

/* Whether reading needs no more time than its length says. What begins an element is no part of a value,
   and each attribute has its sign. */
static int is_cheap(const char *bytes, int count) {
    int signs = 0, spaces = 0, pieces = 0;
    for (int each = 0; each < count; each++) {
        if (bytes[each] == '<') signs = 0, pieces++;
        if (bytes[each] == '=' && ++signs > MOST_SIGNS) return 0;
        if (bytes[each] == 'x' && count - each >= 5 && memcmp(bytes + each, "xmlns", 5) == 0) spaces++;
    }
    return spaces <= MOST_SPACES && pieces <= MOST_PIECES;
}

void *frontdesk_xml_read(const char *bytes, int count, int most, int *reason) {
    /* Entities are those of XML itself, since there is no document type; without this a canonical form
       could not be made. */
    int options = XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOCDATA | XML_PARSE_NOERROR |
                  XML_PARSE_NOWARNING;
    *reason = FRONTDESK_XML_TYPED;
    /* Before it is read: what a type has is declared while it is read. */
    if (memmem(bytes, (size_t)count, "<!DOCTYPE", 9)) return NULL;
    *reason = FRONTDESK_XML_LARGE;
    if (!is_cheap(bytes, count)) return NULL;
    *reason = FRONTDESK_XML_BROKEN;
    /* It would end the document, whatever comes behind it. */
    if (memchr(bytes, 0, (size_t)count)) return NULL;
    xml.xmlSetStructuredErrorFunc(NULL, (xmlStructuredErrorFunc)ignore);
    xmlDocPtr document = xml.xmlReadMemory(bytes, count, NULL, "UTF-8", options);
    if (!document) return NULL;
    xmlNodePtr root = xml.xmlDocGetRootElement(document);
    if (document->intSubset || document->extSubset)
        *reason = FRONTDESK_XML_TYPED;
    else if (root && is_small(root, most))
        return document;
    else if (root)
        *reason = FRONTDESK_XML_LARGE;
    xml.xmlFreeDoc(document);
    return NULL;
}

void frontdesk_xml_free(void *document) { xml.xmlFreeDoc(document); }
void *frontdesk_xml_root(void *document) { return xml.xmlDocGetRootElement(document); }

static xmlNodePtr element_from(xmlNodePtr node) {
    while (node && node->type != XML_ELEMENT_NODE) node = node->next;
    return node;
}
void *frontdesk_xml_first(void *element) { return element_from(((xmlNodePtr)element)->children); }
void *frontdesk_xml_next(void *element) { return element_from(((xmlNodePtr)element)->next); }

const char *frontdesk_xml_name(void *element) { return (const char *)((xmlNodePtr)element)->name; }
const char *frontdesk_xml_space(void *element) {
    xmlNsPtr space = ((xmlNodePtr)element)->ns;
    return space && space->href ? (const char *)space->href : "";
}

/* The one text in a list of nodes, empty for an empty list; NULL for any other. */
static const char *text_of(xmlNodePtr first) {
    if (!first) return "";
    if (first->next || first->type != XML_TEXT_NODE) return NULL;
    return (const char *)first->content;
}

const char *frontdesk_xml_attribute(void *element, const char *name) {
    for (xmlAttrPtr each = ((xmlNodePtr)element)->properties; each; each = each->next)
        if (!each->ns && strcmp((const char *)each->name, name) == 0) return text_of(each->children);
    return NULL;
}
const char *frontdesk_xml_text(void *element) { return text_of(((xmlNodePtr)element)->children); }

/* What is written of a document, and where to. */
struct part {
    xmlNodePtr element, without;
};
struct room {
    char *bytes;
    int size, count;
};

/* Whether a node is in the part. A namespace is no node of the tree: its element decides. */
static int is_visible(void *context, xmlNodePtr node, xmlNodePtr parent) {
    struct part *part = context;
    xmlNodePtr place = node;
    if (node->type == XML_NAMESPACE_DECL || node->type == XML_ATTRIBUTE_NODE) place = parent;
    for (; place; place = place->parent) {
        if (place == part->without) return 0;
        if (place == part->element) return 1;
    }
    return 0;
}

static int write_piece(void *context, const char *bytes, int count) {
    struct room *room = context;
    if (count > room->size - room->count) {
        /* From here on nothing fits: no later piece may follow one that is missing. */
        room->size = -1;
        return -1;
    }
    memcpy(room->bytes + room->count, bytes, (size_t)count);
    room->count += count;
    return count;
}

int frontdesk_xml_canonical(void *document, void *element, void *without,
                            const char *const *prefixes, char *bytes, int size) {
    xml.xmlSetStructuredErrorFunc(NULL, (xmlStructuredErrorFunc)ignore);
    struct part part = {element, without};
    struct room room = {bytes, size, 0};
    xmlOutputBufferPtr out = xml.xmlOutputBufferCreateIO(write_piece, NULL, &room, NULL);
    if (!out) return -1;
    int made = xml.xmlC14NExecute(document, is_visible, &part, XML_C14N_EXCLUSIVE_1_0,
                                  (xmlChar **)prefixes, 0, out);
    int closed = xml.xmlOutputBufferClose(out);
    if (room.size < 0) return -1;
    return made < 0 || closed < 0 ? -2 : room.count;
}
