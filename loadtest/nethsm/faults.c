/* Jobs ended from outside: by faults, by the death of a process, by a repair. */
#include "faults.h"

#include <p11-kit/pkcs11.h>
#include <string.h>

static void fail_job(struct state *state, struct job *job, uint64_t rv, int64_t now) {
  if (job->phase == JOB_QUEUED) {
    job->rv = rv;
    queue_drop(state, job, now);
  } else if (job->phase == JOB_SERVED) {
    job->rv = rv;
    job->finish = now;
    queue_end_service(state, job, now);
  }
}

void queue_fail(struct state *state, int process, uint64_t rv, int64_t now) {
  for (uint32_t i = 0; i < JOBS_MAX; i++) {
    if (process < 0 || state->jobs[i].process == process) {
      fail_job(state, &state->jobs[i], rv, now);
    }
  }
}

void queue_bury(struct state *state, int process, int64_t now) {
  for (uint32_t i = 0; i < JOBS_MAX; i++) {
    struct job *job = &state->jobs[i];
    if (job->phase == JOB_FREE || job->process != process || job->orphan) {
      continue;
    }
    job->orphan = true;
    job->process = -1;
    if (job->phase == JOB_QUEUED) {
      queue_drop(state, job, now);
    } else if (job->phase == JOB_SERVED) {
      /* A device ends what it has begun, even if nobody reads the answer. */
      job->worked = true;
    } else {
      job->phase = JOB_FREE;
    }
  }
}

void queue_repair(struct state *state) {
  state->queued = 0;
  for (uint32_t i = 0; i < SERVERS_MAX; i++) {
    state->servers[i].occupant = 0;
  }
  for (uint32_t i = 0; i < JOBS_MAX; i++) {
    const struct job *job = &state->jobs[i];
    if (job->phase == JOB_SERVED) {
      state->servers[job->server].occupant = i + 1;
    } else if (job->phase == JOB_QUEUED && state->queued <= QUEUE_MAX) {
      uint32_t at = state->queued++;
      for (; at > 0 && state->jobs[state->queue[at - 1]].ticket > job->ticket; at--) {
        state->queue[at] = state->queue[at - 1];
      }
      state->queue[at] = (uint16_t)i;
    }
  }
  /* A `set` half done could leave none for one kind, and its jobs waiting for ever. */
  if (state->config.ec_servers >= state->config.servers) {
    state->config.ec_servers = 0;
  }
  state->sessions = 0;
  for (int i = 0; i < PROCESSES_MAX; i++) {
    state->sessions += state->processes[i].used ? state->processes[i].sessions : 0;
  }
}

void fault_busy(struct state *state, uint64_t rv, double probability) {
  state->faults.busy_probability = probability;
  state->faults.busy_rv = rv;
}

void fault_device_error(struct state *state, int64_t now) {
  state->faults.failing_rv = CKR_DEVICE_ERROR;
  queue_fail(state, -1, CKR_DEVICE_ERROR, now);
}

void fault_sessions_lost(struct state *state) {
  __atomic_add_fetch(&state->sessions_epoch, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < PROCESSES_MAX; i++) {
    state->processes[i].sessions = 0;
  }
  state->sessions = 0;
}

void fault_removed(struct state *state, int64_t now) {
  __atomic_store_n(&state->faults.removed, 1, __ATOMIC_RELEASE);
  fault_sessions_lost(state);
  queue_fail(state, -1, CKR_DEVICE_REMOVED, now);
}

void fault_back(struct state *state) { __atomic_store_n(&state->faults.removed, 0, __ATOMIC_RELEASE); }

void fault_hang(struct state *state, int64_t now) {
  if (state->faults.hung_since == 0) {
    queue_advance(state, now);
    state->faults.hung_since = now;
  }
}

/* What was in service goes on where it stopped. */
void fault_unhang(struct state *state, int64_t now) {
  if (state->faults.hung_since == 0) {
    return;
  }
  int64_t since = state->faults.hung_since;
  state->faults.hung_since = 0;
  for (uint32_t i = 0; i < SERVERS_MAX; i++) {
    struct server *server = &state->servers[i];
    if (server->occupant != 0) {
      struct job *job = &state->jobs[server->occupant - 1];
      int64_t lost = now - (job->start > since ? job->start : since);
      job->start += lost;
      job->finish += lost;
    } else if (server->free_at < now) {
      server->free_at = now;
    }
  }
  queue_wake_all(state);
  queue_advance(state, now);
}

void fault_clear(struct state *state, int64_t now) {
  fault_unhang(state, now);
  fault_back(state);
  state->faults.busy_rv = 0;
  state->faults.failing_rv = 0;
  state->faults.slow = 1;
  __atomic_store_n(&state->faults.fake, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&state->faults.crash, 0, __ATOMIC_RELEASE);
}
