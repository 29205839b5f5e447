/*
 * The lines of the WAN: of each link one to the server and one to the client. A packet waits until those before it are sent,
 * is sent at the line's rate, and arrives half a round trip later. What would wait longer than the line's queue is dropped, as a
 * router does. A line has no idle time that it could make up for: it is free or it sends.
 */
#ifndef WAN_LINKS_H
#define WAN_LINKS_H

#include "exchange.h"

#define NANOS_PER_MILLI 1000000LL
#define NANOS_PER_SECOND 1000000000LL

struct settings {
  uint32_t links;      /* 1 to LINKS_MAX */
  int64_t rtt;         /* nanoseconds */
  double bits;         /* a second, of each line */
  int64_t queue;       /* nanoseconds that a packet may wait before it is sent */
};

struct counts {
  uint64_t packets, bytes, dropped;
};

/* Takes a copy; drops it if its line is full, or memory is. */
void links_send(const struct settings *settings, struct way way, const uint8_t *packet, size_t length, int64_t now);
/* When the next packet arrives; INT64_MAX if none is on its way. */
int64_t links_next(const struct settings *settings);
/* Writes those that have arrived by NOW to the device. */
void links_deliver(const struct settings *settings, int device, int64_t now);
struct counts links_counts(void);

#endif
