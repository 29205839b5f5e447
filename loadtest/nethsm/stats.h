#ifndef NETHSM_STATS_H
#define NETHSM_STATS_H

#include "state.h"

/* What the HSM did since the last reset, and what is in it now. */
struct snapshot {
  int64_t now;
  struct config config;
  struct faults faults;
  struct statistics statistics;
  uint32_t queued, sessions, processes;
  uint32_t busy, kind_busy[KINDS];
  uint32_t in_service[CLASSES], in_queue[CLASSES];
};

void stats_take(struct attachment *attachment, bool reset, struct snapshot *snapshot);
void stats_print_text(const struct snapshot *snapshot);
void stats_print_json(const struct snapshot *snapshot);

#endif
