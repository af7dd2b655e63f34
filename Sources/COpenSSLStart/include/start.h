/* Has OpenSSL leave its memory to the system when the process ends.

   By itself it frees it then, and a thread that has used OpenSSL and ends at the same moment frees its part too:
   "double free or corruption", and the process ends by a signal instead of with its exit code. Seen with OpenSSL 3.0.19.
   Nothing calls this: it runs when the program is loaded. */
#ifndef FRONTDESK_COPENSSL_START_H
#define FRONTDESK_COPENSSL_START_H

void frontdesk_openssl_start(void);

#endif
