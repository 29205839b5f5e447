#include "links.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct packet {
  struct packet *next;
  int64_t arrives;
  size_t length;
  uint8_t bytes[];
};

/* All packets of a line take as long, so they arrive in their order. */
struct line {
  struct packet *first, *last;
  int64_t free_at;
};

static struct line lines[LINKS_MAX][DIRECTIONS];
static struct counts counts;

void links_send(const struct settings *settings, struct way way, const uint8_t *bytes, size_t length, int64_t now) {
  struct line *line = &lines[way.link][way.direction];
  int64_t begins = line->free_at > now ? line->free_at : now;
  struct packet *packet =
      way.link < settings->links && begins - now <= settings->queue ? malloc(sizeof *packet + length) : NULL;
  if (packet == NULL) {
    counts.dropped++;
    return;
  }
  int64_t delay = settings->rtt / 2;
#ifdef PLANT_ONE_WAY /* The planted bug: answers take no time. */
  delay = way.direction == TO_SERVER ? delay : 0;
#endif
#ifdef PLANT_ONE_LINE /* The planted bug: all links share what each should have. */
  line->free_at = begins + (int64_t)((double)length * 8 * settings->links / settings->bits * NANOS_PER_SECOND);
#else
  line->free_at = begins + (int64_t)((double)length * 8 / settings->bits * NANOS_PER_SECOND);
#endif
#ifdef PLANT_NO_RATE /* The planted bug: a line sends anything at once. */
  line->free_at = now;
#endif
  packet->next = NULL;
  packet->arrives = line->free_at + delay;
  packet->length = length;
  memcpy(packet->bytes, bytes, length);
  if (line->first == NULL) {
    line->first = packet;
  } else {
    line->last->next = packet;
  }
  line->last = packet;
}

static struct line *next_line(const struct settings *settings) {
  struct line *next = NULL;
  for (uint32_t i = 0; i < settings->links; i++) {
    for (int direction = 0; direction < DIRECTIONS; direction++) {
      struct line *line = &lines[i][direction];
      if (line->first != NULL && (next == NULL || line->first->arrives < next->first->arrives)) {
        next = line;
      }
    }
  }
  return next;
}

int64_t links_next(const struct settings *settings) {
  const struct line *next = next_line(settings);
  return next == NULL ? INT64_MAX : next->first->arrives;
}

void links_deliver(const struct settings *settings, int device, int64_t now) {
  for (struct line *line = next_line(settings); line != NULL && line->first->arrives <= now;
       line = next_line(settings)) {
    struct packet *packet = line->first;
    line->first = packet->next;
    if (write(device, packet->bytes, packet->length) == (ssize_t)packet->length) {
      counts.packets++;
      counts.bytes += packet->length;
    } else {
      counts.dropped++;
    }
    free(packet);
  }
}

struct counts links_counts(void) { return counts; }
