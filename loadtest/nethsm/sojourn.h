/* How long jobs stay in the device: a histogram whose classes are a thirty-second of a power of two wide. */
#ifndef NETHSM_SOJOURN_H
#define NETHSM_SOJOURN_H

#include <stdint.h>

enum { SOJOURN_STEPS = 32, SOJOURN_CLASSES = 36 * SOJOURN_STEPS };

struct sojourns {
  uint64_t count[SOJOURN_CLASSES];
  int64_t max;
};

/* From the arrival of a job until its service is over. */
void sojourn_note(struct sojourns *sojourns, int64_t nanos);
/* The stay that SHARE of the jobs did not exceed, within 2 %, nanoseconds; 0 if there was no job. */
int64_t sojourn_percentile(const struct sojourns *sojourns, double share);

#endif
