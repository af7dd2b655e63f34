#ifndef FRONTDESK_CQRENCODE_H
#define FRONTDESK_CQRENCODE_H
#include <qrencode.h>
#endif
