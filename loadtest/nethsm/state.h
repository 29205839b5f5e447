/*
 * The shared state of one simulated HSM: a file that every process on the machine maps. One robust
 * mutex guards all of it but the words that are said to be atomic.
 */
#ifndef NETHSM_STATE_H
#define NETHSM_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "profile.h"
#include "sojourn.h"

enum {
  JOBS_MAX = 8192,      /* threads inside at a time: queue, servers, and results not yet fetched */
  PROCESSES_MAX = 256,  /* processes initialised at a time; two more may be the tool */
  REAP_MILLISECONDS = 100
};

#define NANOS_PER_MILLI 1000000LL
#define NANOS_PER_SECOND 1000000000LL

/* The truth about a job is its phase; all else in the state can be found again from it. */
enum phase { JOB_FREE, JOB_QUEUED, JOB_SERVED, JOB_DONE };

struct job {
  uint32_t word; /* futex of the thread that waits; changes with the phase */
  uint32_t phase;
  uint64_t ticket; /* order of arrival; never given twice */
  int32_t process;
  uint32_t server;
  uint32_t key_class;
  bool worked; /* the backing module has answered, or never will */
  bool orphan; /* its process is dead */
  int64_t arrival, start, service, backing, finish;
  uint64_t rv;
};

/* Jobs and servers are of a kind, each served by its own: see engines.h. */
enum kind { KIND_REST, KIND_EC, KINDS };

struct server {
  int64_t free_at; /* the next job starts no earlier: lag of threads does not cost capacity */
  uint32_t occupant; /* the index of its job and one; 0: idle */
};

struct process {
  bool used;
  int32_t pid; /* shown only: whether it lives is told by its lock on the file */
  uint32_t sessions;
};

struct class_statistics {
  uint64_t served, signed_, refused_full, refused_fault, failed, abandoned, overrun;
  int64_t wait_sum, wait_max, service_sum, service_max;
};

struct statistics {
  int64_t since, queue_noted;
  int64_t busy_nanos, capacity_nanos, capacity_noted;
  int64_t kinds_since, kind_busy_nanos[KINDS]; /* since the reset, or since the servers were divided anew */
  uint32_t queue_max, sessions_max;
  uint64_t sessions_refused;
  struct class_statistics of[CLASSES];
  int64_t queue_nanos[QUEUE_MAX + 1]; /* how long the queue had each length */
  struct sojourns sojourns;
};

struct faults {
  uint64_t busy_rv; /* 0: none */
  double busy_probability;
  uint64_t failing_rv; /* each signature fails with it; 0: none */
  uint32_t removed;    /* atomic */
  uint32_t fake;       /* atomic */
  uint32_t crash;      /* atomic; 1: before the backing module signs, 2: after */
  int64_t hung_since;  /* 0: not hung */
  double slow;
};

struct state {
  char magic[8];
  uint32_t version, bytes;
  char boot_id[40]; /* times are of the monotonic clock, which begins anew with the machine */
  pthread_mutex_t lock;
  uint64_t random;         /* atomic: a counter that is mixed into random numbers */
  uint32_t sessions_epoch; /* atomic: sessions of an older epoch are lost */
  struct config config;
  struct faults faults;
  struct statistics statistics;
  uint64_t tickets;
  int64_t reaped_at;
  uint32_t sessions, queued;
  uint16_t queue[QUEUE_MAX + 1]; /* indices of jobs, the head first */
  struct server servers[SERVERS_MAX];
  struct process processes[PROCESSES_MAX];
  struct job jobs[JOBS_MAX];
};

/* A mapped state. The descriptor carries this process's lock on its place, which the kernel drops
 * with the process however it dies. */
struct attachment {
  struct state *state;
  int fd;
  int process; /* index in processes, -1 for the tool */
};

/* Makes FILE; false with a line on stderr. */
bool state_create(const char *file, const struct config *config);
/* Maps FILE; false with a line on stderr. */
bool state_attach(const char *file, struct attachment *attachment);
void state_detach(struct attachment *attachment);

void state_lock(struct attachment *attachment);
void state_unlock(struct attachment *attachment);

/* With the lock held. False when all places are taken. */
bool state_take_place(struct attachment *attachment);
/* With the lock held: ends what dead processes left, at most once in REAP_MILLISECONDS. */
void state_reap(struct attachment *attachment, int64_t now, bool at_once);

int64_t now_nanos(void);
void sleep_until(int64_t nanos);
/* Uniform in [0, 1), from the seed. */
double state_random(struct state *state);

#endif
