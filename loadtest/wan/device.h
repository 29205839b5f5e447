/* The TUN device that all packets of the WAN go through. */
#ifndef WAN_DEVICE_H
#define WAN_DEVICE_H

/* Makes it in this process's namespace, with the addresses of exchange.h; its descriptor does not block. -1 with a line on
 * stderr. It is gone when the descriptor is closed. */
int device_open(void);

#endif
