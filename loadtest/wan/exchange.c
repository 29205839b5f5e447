#include "exchange.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stddef.h>
#include <string.h>

enum { FRAGMENT_OFFSET = 0x1fff };

/* RFC 1624 3: a checksum follows the change of a word, without a look at all the others. */
static void follow(uint8_t *checksum, uint32_t before, uint32_t after) {
  uint16_t was;
  memcpy(&was, checksum, sizeof was);
  uint32_t sum = (uint16_t)~ntohs(was);
  sum += (uint16_t)~(before >> 16) + (uint16_t)~(before & 0xffff);
  sum += (after >> 16) + (after & 0xffff);
  while (sum >> 16 != 0) {
    sum = (sum & 0xffff) + (sum >> 16);
  }
  uint16_t is = htons((uint16_t)~sum);
  memcpy(checksum, &is, sizeof is);
}

static uint32_t address_at(const uint8_t *packet, size_t offset) {
  uint32_t address;
  memcpy(&address, packet + offset, sizeof address);
  return ntohl(address);
}

/* The checksum of TCP or UDP, which counts both addresses; NULL if there is none. */
static uint8_t *transport_checksum(uint8_t *packet, size_t length) {
  const struct iphdr *header = (const struct iphdr *)packet;
  size_t begin = (size_t)header->ihl * 4;
  if ((ntohs(header->frag_off) & FRAGMENT_OFFSET) != 0) {
    return NULL;
  }
  if (header->protocol == IPPROTO_TCP && length >= begin + sizeof(struct tcphdr)) {
    return packet + begin + offsetof(struct tcphdr, check);
  }
  if (header->protocol == IPPROTO_UDP && length >= begin + sizeof(struct udphdr)) {
    uint8_t *checksum = packet + begin + offsetof(struct udphdr, check);
    /* RFC 768: all zeros say that there is none. */
    return checksum[0] == 0 && checksum[1] == 0 ? NULL : checksum;
  }
  return NULL;
}

static void replace(uint8_t *packet, size_t length, size_t offset, uint32_t address) {
  uint32_t before = address_at(packet, offset);
  uint8_t *transport = transport_checksum(packet, length);
  follow(packet + offsetof(struct iphdr, check), before, address);
  if (transport != NULL) {
    follow(transport, before, address);
  }
  uint32_t in_order = htonl(address);
  memcpy(packet + offset, &in_order, sizeof in_order);
}

bool exchange_addresses(uint8_t *packet, size_t length, struct way *way) {
  const struct iphdr *header = (const struct iphdr *)packet;
  if (length < sizeof *header || header->version != 4 || header->ihl < 5 || (size_t)header->ihl * 4 > length) {
    return false;
  }
  uint32_t to = address_at(packet, offsetof(struct iphdr, daddr));
  uint32_t net = to & ~0xffu;
  uint32_t link = to & 0xffu;
  if (address_at(packet, offsetof(struct iphdr, saddr)) != ADDRESS_OF_ALL || link >= LINKS_MAX ||
      (net != ADDRESS_OF_LINKS && net != ADDRESS_OF_CLIENTS)) {
    return false;
  }
  bool is_to_server = net == ADDRESS_OF_LINKS;
  *way = (struct way){.link = link, .direction = is_to_server ? TO_SERVER : TO_CLIENT};
  replace(packet, length, offsetof(struct iphdr, saddr), (is_to_server ? ADDRESS_OF_CLIENTS : ADDRESS_OF_LINKS) + link);
  replace(packet, length, offsetof(struct iphdr, daddr), ADDRESS_OF_ALL);
  return true;
}
