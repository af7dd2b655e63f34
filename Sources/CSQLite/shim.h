#ifndef FRONTDESK_CSQLITE_H
#define FRONTDESK_CSQLITE_H
#include <sqlite3.h>
#endif
