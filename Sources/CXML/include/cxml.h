/* libxml2 as Debian ships it, loaded when it is first needed: documents that another wrote, read without
   network, entities and a document type, and their exclusive canonical form. Nothing of it is linked. */
#ifndef FRONTDESK_CXML_H
#define FRONTDESK_CXML_H
#include <stddef.h>

/* Where the library is found by the system's own rules. */
#define FRONTDESK_XML_LIBRARY "libxml2.so.2"

/* Loads a library of libxml2's functions; 0 when that is done, or was done before. Otherwise what is
   missing is written to `fault`, of `room` bytes, and nothing is kept: the next call tries again. The
   first one that is loaded stays. Safe to call from several threads; every other function here needs
   a 0 from it first. */
int frontdesk_xml_load(const char *library, char *fault, size_t room);

/* Why a document was not read. */
enum {
    /* Not well formed, not in UTF-8, or deeper than libxml2 reads. */
    FRONTDESK_XML_BROKEN = 1,
    /* It has a document type. */
    FRONTDESK_XML_TYPED = 2,
    /* It has more elements, attributes and namespaces than `most`, or in one place so many, or so long ones,
       that its canonical form would need much time. */
    FRONTDESK_XML_LARGE = 3
};

/* Reads a document in UTF-8, whatever encoding it states; NULL with the reason. One thread may use it
   at a time. */
void *frontdesk_xml_read(const char *bytes, int count, int most, int *reason);
void frontdesk_xml_free(void *document);

/* The elements of a document, which live as long as it does. */
void *frontdesk_xml_root(void *document);
void *frontdesk_xml_first(void *element);
void *frontdesk_xml_next(void *element);
/* Its name without a prefix. */
const char *frontdesk_xml_name(void *element);
/* The address of its namespace; empty without one. */
const char *frontdesk_xml_space(void *element);
/* The value of an attribute without a namespace; NULL without one. */
const char *frontdesk_xml_attribute(void *element, const char *name);
/* What stands in an element that has text alone; NULL where it has anything else, such as an element
   or a comment. */
const char *frontdesk_xml_text(void *element);

/* Writes an element and all that is in it, but for one element that is left out (NULL for none), in the
   form of Exclusive XML Canonicalization 1.0 without comments, to `room`. `prefixes` are those of an
   InclusiveNamespaces, with a NULL at the end. The number of bytes; -1 where they do not fit, -2 where there
   is no such form, as with a namespace that is no whole address. */
int frontdesk_xml_canonical(void *document, void *element, void *without,
                            const char *const *prefixes, char *room, int size);
#endif
