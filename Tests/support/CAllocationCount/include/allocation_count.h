/* Counts what a thread allocates: this library's malloc stands before the C library's. */
#ifndef FRONTDESK_ALLOCATION_COUNT_H
#define FRONTDESK_ALLOCATION_COUNT_H

/* Whether counting works here; under a sanitizer, which has a malloc of its own, it does not. */
int allocation_count_works(void);
/* How many blocks the calling thread has asked for since it began. */
unsigned long allocation_count(void);

#endif
