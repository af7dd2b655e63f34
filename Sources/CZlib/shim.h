#ifndef FRONTDESK_CZLIB_H
#define FRONTDESK_CZLIB_H
#include <zlib.h>
#endif
