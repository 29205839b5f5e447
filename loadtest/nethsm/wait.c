/* How the thread of a job waits, and takes its result. */
#include <linux/futex.h>
#include <p11-kit/pkcs11.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "queue.h"

/* A thread looks at the state this often even if nobody wakes it: those who should may be dead. */
#define LOOK_NANOS (REAP_MILLISECONDS * NANOS_PER_MILLI)

static void wait_on(struct job *job, uint32_t word, int64_t deadline) {
  struct timespec time = {.tv_sec = deadline / NANOS_PER_SECOND, .tv_nsec = deadline % NANOS_PER_SECOND};
  /* FUTEX_WAIT_BITSET takes an absolute time of the monotonic clock. */
  syscall(SYS_futex, &job->word, FUTEX_WAIT_BITSET, word, &time, NULL, FUTEX_BITSET_MATCH_ANY);
}

/* Waits with the lock held and given away meanwhile; false when the job is another's by now. */
static bool wait_while(struct attachment *attachment, struct job_ref ref, enum phase phase) {
  struct state *state = attachment->state;
  struct job *job = &state->jobs[ref.index];
  while (true) {
    int64_t now = now_nanos();
    state_reap(attachment, now, false);
    queue_advance(state, now);
    if (job->ticket != ref.ticket || job->phase == JOB_FREE) {
      return false;
    }
    if (job->phase != phase) {
      return true;
    }
    int64_t deadline = now + LOOK_NANOS;
    if (phase == JOB_SERVED && state->faults.hung_since == 0 && job->finish < deadline) {
      deadline = job->finish;
    }
    uint32_t word = __atomic_load_n(&job->word, __ATOMIC_ACQUIRE);
    state_unlock(attachment);
    wait_on(job, word, deadline);
    state_lock(attachment);
  }
}

/* The thread takes its result; the entry is free for another job. */
static uint64_t collect(struct state *state, struct job *job) {
  uint64_t rv = job->rv;
  struct class_statistics *statistics = &state->statistics.of[job->key_class];
  if (rv == CKR_OK) {
    statistics->signed_++;
  } else {
    statistics->failed++;
  }
  __atomic_store_n(&job->phase, JOB_FREE, __ATOMIC_RELEASE);
  return rv;
}

uint64_t queue_await_service(struct attachment *attachment, struct job_ref ref) {
  struct state *state = attachment->state;
  struct job *job = &state->jobs[ref.index];
  uint64_t rv = CKR_OK;
  state_lock(attachment);
  if (!wait_while(attachment, ref, JOB_QUEUED)) {
    rv = CKR_GENERAL_ERROR;
  } else if (job->phase == JOB_DONE) {
    rv = collect(state, job);
  }
  state_unlock(attachment);
  return rv;
}

uint64_t queue_await_end(struct attachment *attachment, struct job_ref ref, int64_t nanos, uint64_t rv,
                         int64_t *finish) {
  struct state *state = attachment->state;
  struct job *job = &state->jobs[ref.index];
  state_lock(attachment);
  if (job->ticket == ref.ticket && job->phase == JOB_SERVED) {
    job->rv = rv;
    job->backing = nanos;
    if (nanos > job->service) {
      job->finish = job->start + nanos;
      state->statistics.of[job->key_class].overrun += job->service > 0;
    }
    job->worked = true;
  }
  if (wait_while(attachment, ref, JOB_SERVED)) {
    *finish = job->finish;
    rv = collect(state, job);
  } else {
    *finish = now_nanos();
    rv = CKR_GENERAL_ERROR;
  }
  state_unlock(attachment);
  return rv;
}

bool queue_take_crash(struct state *state, uint32_t when) {
  return __atomic_load_n(&state->faults.crash, __ATOMIC_RELAXED) == when &&
         __atomic_compare_exchange_n(&state->faults.crash, &when, 0, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED);
}
