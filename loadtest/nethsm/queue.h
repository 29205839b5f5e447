/*
 * The inside of the HSM: K servers before a bounded FIFO (with `ec-servers` a FIFO for each kind of
 * job, in one bound), as a simulation in virtual time. Whoever
 * holds the lock first plays all that was due by now (ends, then starts of the next in the queue, each
 * at its own ideal time), so the rate does not depend on how late threads wake up. Only the backing
 * module's real signature can hold a server longer than its service time.
 */
#ifndef NETHSM_QUEUE_H
#define NETHSM_QUEUE_H

#include "state.h"

struct job_ref {
  uint32_t index;
  uint64_t ticket;
};

/* A job comes in at ARRIVAL. 0 and *ref, or the CKR of a fault or of a full queue. */
uint64_t queue_enter(struct attachment *attachment, enum key_class key_class, int64_t arrival,
                     struct job_ref *ref);
/* Waits for a server. 0, or the CKR that ended the job. */
uint64_t queue_await_service(struct attachment *attachment, struct job_ref ref);
/* The backing module answered RV after NANOS. Waits until the service is over; returns RV or the CKR
 * that ended the job, and when it was over. */
uint64_t queue_await_end(struct attachment *attachment, struct job_ref ref, int64_t nanos, uint64_t rv,
                         int64_t *finish);
/* Takes one order to crash; true when this thread is the one. */
bool queue_take_crash(struct state *state, uint32_t when);

/* All that follows: with the lock held. */

/* Plays what was due by NOW. */
void queue_advance(struct state *state, int64_t now);
/* Ends all jobs with RV and wakes their threads; of one process, or of all (-1). */
void queue_fail(struct state *state, int process, uint64_t rv, int64_t now);
void queue_wake_all(struct state *state);
/* Drops the jobs of a dead process: queued ones at once, served ones when their service is over. */
void queue_bury(struct state *state, int process, int64_t now);
/* Takes a queued job out of the queue, its rv set; an orphan's entry is free then. */
void queue_drop(struct state *state, struct job *job, int64_t now);
/* Ends the service of a job at TIME and frees its server. */
void queue_end_service(struct state *state, struct job *job, int64_t time);
/* Finds all again from the jobs, after a process died with the lock. */
void queue_repair(struct state *state);
/* Brings integrals over time up to NOW, for reading. */
void queue_note(struct state *state, int64_t now);
void queue_reset_statistics(struct state *state, int64_t now);

#endif
