/*
 * Client and server are in one namespace, whose kernel would hand their packets over by itself if it knew both
 * addresses. So a client asks for link i at 10.209.1.i, which is nobody's; the forwarder gives the packet to the
 * server as one from 10.209.2.i, nobody's either, and the answer to that address back to the client as one from
 * 10.209.1.i. All else of a packet stays as it was, and both ends are the kernel's own TCP.
 */
#ifndef WAN_EXCHANGE_H
#define WAN_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ADDRESS_OF_ALL 0x0ad10001u /* 10.209.0.1: the namespace's own */
#define ADDRESS_MASK 0xffff0000u
#define ADDRESS_OF_LINKS 0x0ad10100u   /* 10.209.1.0: clients ask here */
#define ADDRESS_OF_CLIENTS 0x0ad10200u /* 10.209.2.0: servers see clients here */

enum { LINKS_MAX = 250 };

enum direction { TO_SERVER, TO_CLIENT, DIRECTIONS };

struct way {
  uint32_t link;
  enum direction direction;
};

/* Exchanges the addresses of an IPv4 packet and tells its way; false, and nothing changed, if it is not one of ours. */
bool exchange_addresses(uint8_t *packet, size_t length, struct way *way);

#endif
