#include "sojourn.h"

#include <math.h>

enum { STEP_BITS = 5, NANOS_PER_MICRO = 1000 };

/* The first two powers of two hold whole microseconds. */
static uint32_t class_of(uint64_t micros) {
  if (micros < 2 * SOJOURN_STEPS) {
    return (uint32_t)micros;
  }
  uint32_t shift = 63u - (uint32_t)__builtin_clzll(micros) - STEP_BITS;
  uint64_t index = (shift << STEP_BITS) + (micros >> shift);
  return index < SOJOURN_CLASSES ? (uint32_t)index : SOJOURN_CLASSES - 1;
}

static double middle_of(uint32_t index) {
  if (index < 2 * SOJOURN_STEPS) {
    return index;
  }
  uint32_t shift = (index >> STEP_BITS) - 1;
  uint64_t least = (uint64_t)(index - (shift << STEP_BITS)) << shift;
  return (double)least + (double)(1ULL << shift) / 2;
}

void sojourn_note(struct sojourns *sojourns, int64_t nanos) {
  int64_t stay = nanos > 0 ? nanos : 0;
  sojourns->count[class_of((uint64_t)stay / NANOS_PER_MICRO)]++;
  sojourns->max = stay > sojourns->max ? stay : sojourns->max;
}

int64_t sojourn_percentile(const struct sojourns *sojourns, double share) {
  uint64_t all = 0;
  for (uint32_t i = 0; i < SOJOURN_CLASSES; i++) {
    all += sojourns->count[i];
  }
  uint64_t rank = (uint64_t)ceil(share * (double)all), below = 0;
  for (uint32_t i = 0; i < SOJOURN_CLASSES && all > 0; i++) {
    below += sojourns->count[i];
    if (below >= rank && sojourns->count[i] > 0) {
      int64_t middle = (int64_t)(middle_of(i) * NANOS_PER_MICRO);
      return middle < sojourns->max ? middle : sojourns->max;
    }
  }
  return 0;
}
