#include "queue.h"

#include <limits.h>
#include <linux/futex.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engines.h"

static void set_phase(struct job *job, enum phase phase) {
  /* Last of a job's changes, so that a repair finds what belongs to the phase. */
  __atomic_store_n(&job->phase, phase, __ATOMIC_RELEASE);
  __atomic_add_fetch(&job->word, 1, __ATOMIC_RELEASE);
  if (phase != JOB_FREE) {
    syscall(SYS_futex, &job->word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  }
}

void queue_wake_all(struct state *state) {
  for (uint32_t i = 0; i < JOBS_MAX; i++) {
    if (state->jobs[i].phase != JOB_FREE) {
      set_phase(&state->jobs[i], state->jobs[i].phase);
    }
  }
}

/* The queue had its present length until TIME. Times of the past add nothing. */
static void note_queue(struct state *state, int64_t time) {
  struct statistics *statistics = &state->statistics;
  if (time > statistics->queue_noted) {
    uint32_t length = state->queued <= QUEUE_MAX ? state->queued : QUEUE_MAX;
    statistics->queue_nanos[length] += time - statistics->queue_noted;
    statistics->queue_noted = time;
  }
}

void queue_note(struct state *state, int64_t now) {
  struct statistics *statistics = &state->statistics;
  note_queue(state, now);
  statistics->capacity_nanos += (now - statistics->capacity_noted) * state->config.servers;
  statistics->capacity_noted = now;
}

void queue_reset_statistics(struct state *state, int64_t now) {
  memset(&state->statistics, 0, sizeof state->statistics);
  state->statistics.since = state->statistics.queue_noted = state->statistics.capacity_noted = now;
  state->statistics.kinds_since = now;
  state->statistics.queue_max = state->queued;
  state->statistics.sessions_max = state->sessions;
}

static int64_t draw_service(struct state *state, enum key_class key_class) {
  double service = (double)state->config.service[key_class] * state->faults.slow;
  if (state->config.exponential) {
    service *= -log(1.0 - state_random(state));
  }
  /* Ten times the greatest mean: an exponential of one in 20,000 is cut. */
  double most = 10 * MILLISECONDS_MAX * (double)NANOS_PER_MILLI;
  return (int64_t)(service < most ? service : most);
}

static void remove_from_queue(struct state *state, uint32_t position, int64_t time) {
  note_queue(state, time);
  memmove(&state->queue[position], &state->queue[position + 1],
          (state->queued - position - 1) * sizeof *state->queue);
  state->queued--;
}

static void serve(struct state *state, uint32_t position, uint32_t server) {
  uint32_t index = state->queue[position];
  struct job *job = &state->jobs[index];
  struct server *at = &state->servers[server];
  job->server = server;
  job->start = at->free_at > job->arrival ? at->free_at : job->arrival;
#ifdef PLANT_DRIFT /* The planted bug: service begins when somebody is awake to begin it. */
  job->start = now_nanos();
#endif
  job->service = draw_service(state, job->key_class);
  job->finish = job->start + job->service;
  remove_from_queue(state, position, job->start);
  at->occupant = index + 1;
  struct class_statistics *statistics = &state->statistics.of[job->key_class];
  statistics->served++;
  int64_t wait = job->start - job->arrival;
  statistics->wait_sum += wait;
  statistics->wait_max = wait > statistics->wait_max ? wait : statistics->wait_max;
  set_phase(job, JOB_SERVED);
}

/* The first of each kind goes to the idle server of its kind that has waited longest, and waits for no other kind. */
static void serve_queue(struct state *state) {
  bool busy[KINDS] = {[KIND_EC] = state->config.ec_servers == 0};
  uint32_t position = 0;
  while (position < state->queued && !(busy[KIND_REST] && busy[KIND_EC])) {
    enum kind kind = engines_kind(&state->config, state->jobs[state->queue[position]].key_class);
    int server = busy[kind] ? -1 : engines_idle(state, kind);
    if (server >= 0) {
      serve(state, position, (uint32_t)server);
    } else {
      busy[kind] = true;
      position++;
#ifdef PLANT_HEAD_OF_LINE /* The planted bug: a job waits behind those of the other kind. */
      return;
#endif
    }
  }
}

void queue_end_service(struct state *state, struct job *job, int64_t time) {
  struct server *server = &state->servers[job->server];
  server->occupant = 0;
  /* Later than its end if it was given other jobs to serve meanwhile. */
  server->free_at = server->free_at > time ? server->free_at : time;
  int64_t used = time > job->start ? time - job->start : 0;
  engines_count_busy(&state->config, &state->statistics, job, time);
  struct class_statistics *statistics = &state->statistics.of[job->key_class];
  statistics->service_sum += used;
  statistics->service_max = used > statistics->service_max ? used : statistics->service_max;
  if (job->orphan) {
    statistics->abandoned++;
    set_phase(job, JOB_FREE);
  } else {
    sojourn_note(&state->statistics.sojourns, time - job->arrival);
    set_phase(job, JOB_DONE);
  }
}

/* The job that ends first, of those whose thread is back from the backing module. */
static struct job *first_end(struct state *state, int64_t now) {
  struct job *first = NULL;
  /* All servers: `set servers` may have left some that still serve their last job. */
  for (uint32_t i = 0; i < SERVERS_MAX; i++) {
    if (state->servers[i].occupant != 0) {
      struct job *job = &state->jobs[state->servers[i].occupant - 1];
      if (job->worked && job->finish <= now && (first == NULL || job->finish < first->finish)) {
        first = job;
      }
    }
  }
  return first;
}

void queue_advance(struct state *state, int64_t now) {
  serve_queue(state);
  /* A hung HSM takes work as long as it has room, and ends none. */
  if (state->faults.hung_since != 0) {
    return;
  }
  for (struct job *job = first_end(state, now); job != NULL; job = first_end(state, now)) {
    queue_end_service(state, job, job->finish);
    serve_queue(state);
  }
}

void queue_drop(struct state *state, struct job *job, int64_t now) {
  for (uint32_t i = 0; i < state->queued; i++) {
    if (&state->jobs[state->queue[i]] == job) {
      remove_from_queue(state, i, now);
      break;
    }
  }
  if (job->orphan) {
    state->statistics.of[job->key_class].abandoned++;
  }
  set_phase(job, job->orphan ? JOB_FREE : JOB_DONE);
}

static struct job *take_job(struct state *state) {
  for (uint32_t i = 0; i < JOBS_MAX; i++) {
    if (state->jobs[i].phase == JOB_FREE) {
      return &state->jobs[i];
    }
  }
  return NULL;
}

/* What a fault answers to a job that comes in; 0: nothing. */
static uint64_t fault_at_entry(struct state *state, struct class_statistics *statistics) {
  const struct faults *faults = &state->faults;
  if (faults->failing_rv != 0) {
    statistics->failed++;
    return faults->failing_rv;
  }
  if (faults->busy_rv != 0 && (faults->busy_probability >= 1 || state_random(state) < faults->busy_probability)) {
    statistics->refused_fault++;
    return faults->busy_rv;
  }
  return 0;
}

/* With the lock held. */
static uint64_t enter(struct attachment *attachment, enum key_class key_class, int64_t arrival,
                      struct job_ref *ref) {
  struct state *state = attachment->state;
  struct class_statistics *statistics = &state->statistics.of[key_class];
  int64_t now = now_nanos();
  state_reap(attachment, now, false);
  queue_advance(state, now);
  uint64_t fault = fault_at_entry(state, statistics);
  if (fault != 0) {
    return fault;
  }
  struct job *job = state->queued <= QUEUE_MAX ? take_job(state) : NULL;
  if (job == NULL) {
    statistics->refused_full++;
    return state->config.busy_rv;
  }
  *job = (struct job){.word = job->word, .phase = JOB_FREE, .ticket = ++state->tickets,
                      .process = attachment->process, .key_class = key_class, .arrival = arrival};
  *ref = (struct job_ref){.index = (uint32_t)(job - state->jobs), .ticket = job->ticket};
  __atomic_store_n(&job->phase, JOB_QUEUED, __ATOMIC_RELEASE);
  note_queue(state, now);
  state->queue[state->queued++] = (uint16_t)ref->index;
#ifdef PLANT_DIE /* Not a bug but a death at the worst moment: with the lock, and a change half done. */
  kill(getpid(), SIGKILL);
#endif
  queue_advance(state, now);
  if (state->queued > state->config.queue && job->phase == JOB_QUEUED) {
    statistics->refused_full++;
#ifndef PLANT_LEAK /* The planted bug: the refused job keeps its place in the queue. */
    remove_from_queue(state, state->queued - 1, now);
    set_phase(job, JOB_FREE);
#endif
    return state->config.busy_rv;
  }
  if (state->queued > state->statistics.queue_max) {
    state->statistics.queue_max = state->queued;
  }
  return 0;
}

uint64_t queue_enter(struct attachment *attachment, enum key_class key_class, int64_t arrival,
                     struct job_ref *ref) {
  state_lock(attachment);
  uint64_t rv = enter(attachment, key_class, arrival, ref);
  state_unlock(attachment);
  return rv;
}
