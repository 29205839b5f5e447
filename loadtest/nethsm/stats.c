#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "engines.h"
#include "queue.h"

static void count_jobs(const struct state *state, struct snapshot *snapshot) {
  for (int i = 0; i < JOBS_MAX; i++) {
    const struct job *job = &state->jobs[i];
    if (job->phase == JOB_QUEUED) {
      snapshot->in_queue[job->key_class]++;
    } else if (job->phase == JOB_SERVED) {
      snapshot->in_service[job->key_class]++;
      snapshot->busy++;
      snapshot->kind_busy[engines_kind_of_server(&state->config, job->server)]++;
      int64_t until = state->faults.hung_since != 0 ? state->faults.hung_since : snapshot->now;
      /* A job whose thread is late has ended at `finish`, unless the backing module still works. */
      if (job->worked && job->finish < until) {
        until = job->finish;
      }
      engines_count_busy(&state->config, &snapshot->statistics, job, until);
    }
  }
}

void stats_take(struct attachment *attachment, bool reset, struct snapshot *snapshot) {
  struct state *state = attachment->state;
  *snapshot = (struct snapshot){.now = 0};
  state_lock(attachment);
  snapshot->now = now_nanos();
  state_reap(attachment, snapshot->now, true);
  queue_advance(state, snapshot->now);
  queue_note(state, snapshot->now);
  snapshot->config = state->config;
  snapshot->faults = state->faults;
  snapshot->statistics = state->statistics;
  snapshot->queued = state->queued;
  snapshot->sessions = state->sessions;
  for (int i = 0; i < PROCESSES_MAX; i++) {
    snapshot->processes += state->processes[i].used;
  }
  count_jobs(state, snapshot);
  if (reset) {
    queue_reset_statistics(state, snapshot->now);
  }
  state_unlock(attachment);
}

/* The least length that the queue did not exceed in SHARE of the time. */
static uint32_t queue_percentile(const struct statistics *statistics, double share) {
  double total = 0;
  for (uint32_t i = 0; i <= QUEUE_MAX; i++) {
    total += (double)statistics->queue_nanos[i];
  }
  double below = 0;
  for (uint32_t i = 0; i <= QUEUE_MAX; i++) {
    below += (double)statistics->queue_nanos[i];
    if (below >= share * total) {
      return i;
    }
  }
  return QUEUE_MAX;
}

static double utilisation(const struct snapshot *snapshot) {
  double capacity = (double)snapshot->statistics.capacity_nanos;
  return capacity > 0 ? (double)snapshot->statistics.busy_nanos / capacity : 0;
}

static double kind_utilisation(const struct snapshot *snapshot, enum kind kind) {
  const struct statistics *statistics = &snapshot->statistics;
  double capacity = (double)(snapshot->now - statistics->kinds_since) * engines_count(&snapshot->config, kind);
  return capacity > 0 ? (double)statistics->kind_busy_nanos[kind] / capacity : 0;
}

static double millis(int64_t nanos) { return (double)nanos / (double)NANOS_PER_MILLI; }

static double mean_millis(int64_t sum, uint64_t count) {
  return count > 0 ? millis(sum) / (double)count : 0;
}

static bool was_used(const struct snapshot *snapshot, int i) {
  const struct class_statistics *of = &snapshot->statistics.of[i];
  return of->served + of->signed_ + of->refused_full + of->refused_fault + of->failed + of->abandoned +
             snapshot->in_queue[i] + snapshot->in_service[i] >
         0;
}

static void print_kinds(const struct snapshot *snapshot) {
  if (snapshot->config.ec_servers > 0) {
    printf("  %u for EC: busy %u, utilisation %.1f %%; %u for the rest: busy %u, utilisation %.1f %%\n",
           engines_count(&snapshot->config, KIND_EC), snapshot->kind_busy[KIND_EC],
           100 * kind_utilisation(snapshot, KIND_EC), engines_count(&snapshot->config, KIND_REST),
           snapshot->kind_busy[KIND_REST], 100 * kind_utilisation(snapshot, KIND_REST));
  }
}

static void print_faults(const struct faults *faults) {
  char buffer[24];
  if (faults->busy_rv != 0) {
    printf("  busy %s, probability %g\n", ckr_name(faults->busy_rv, buffer), faults->busy_probability);
  }
  if (faults->failing_rv != 0) {
    printf("  each signature fails: %s\n", ckr_name(faults->failing_rv, buffer));
  }
  if (faults->slow != 1) {
    printf("  slow %g\n", faults->slow);
  }
  printf("%s%s%s%s", faults->removed ? "  removed\n" : "", faults->hung_since != 0 ? "  hangs\n" : "",
         faults->fake ? "  fake\n" : "", faults->crash ? "  the next signature kills its process\n" : "");
}

void stats_print_text(const struct snapshot *snapshot) {
  const struct statistics *statistics = &snapshot->statistics;
  printf("%s: %.1f s, %u processes, sessions %u (max %u, limit %u, refused %" PRIu64 ")\n",
         snapshot->config.profile, millis(snapshot->now - statistics->since) / 1000, snapshot->processes,
         snapshot->sessions, statistics->sessions_max, snapshot->config.sessions, statistics->sessions_refused);
  printf("servers %u, busy %u, utilisation %.1f %%\n", snapshot->config.servers, snapshot->busy,
         100 * utilisation(snapshot));
  print_kinds(snapshot);
  printf("queue %u of %u, over time p50 %u, p99 %u, max %u\n", snapshot->queued, snapshot->config.queue,
         queue_percentile(statistics, 0.5), queue_percentile(statistics, 0.99), statistics->queue_max);
  printf("latency p50 %.2f, p99 %.2f, max %.2f ms\n", millis(sojourn_percentile(&statistics->sojourns, 0.5)),
         millis(sojourn_percentile(&statistics->sojourns, 0.99)), millis(statistics->sojourns.max));
  print_faults(&snapshot->faults);
  for (int i = 0; i < CLASSES; i++) {
    const struct class_statistics *of = &statistics->of[i];
    if (was_used(snapshot, i)) {
      printf("%-9s signed %" PRIu64 ", refused full %" PRIu64 ", refused by fault %" PRIu64 ", failed %" PRIu64
             ", abandoned %" PRIu64 ", overrun %" PRIu64 ", in service %u, in queue %u, "
             "wait mean %.2f max %.2f ms, service mean %.2f max %.2f ms\n",
             class_name((enum key_class)i), of->signed_, of->refused_full, of->refused_fault, of->failed,
             of->abandoned, of->overrun, snapshot->in_service[i], snapshot->in_queue[i],
             mean_millis(of->wait_sum, of->served), millis(of->wait_max),
             mean_millis(of->service_sum, of->served), millis(of->service_max));
    }
  }
}

static void print_json_histogram(const struct statistics *statistics) {
  printf("\"milliseconds_at_length\":[");
  for (uint32_t i = 0; i <= statistics->queue_max && i <= QUEUE_MAX; i++) {
    printf("%s%.3f", i > 0 ? "," : "", millis(statistics->queue_nanos[i]));
  }
  printf("]");
}

/* Flat, for readers that know no nested objects. */
static void print_json_servers(const struct snapshot *snapshot) {
  printf("\"servers\":{\"count\":%u,\"busy\":%u,\"utilisation\":%.5f,", snapshot->config.servers, snapshot->busy,
         utilisation(snapshot));
  printf("\"ec_count\":%u,\"ec_busy\":%u,\"ec_utilisation\":%.5f,", engines_count(&snapshot->config, KIND_EC),
         snapshot->kind_busy[KIND_EC], kind_utilisation(snapshot, KIND_EC));
  printf("\"rest_count\":%u,\"rest_busy\":%u,\"rest_utilisation\":%.5f},",
         engines_count(&snapshot->config, KIND_REST), snapshot->kind_busy[KIND_REST],
         kind_utilisation(snapshot, KIND_REST));
}

static void print_json_classes(const struct snapshot *snapshot) {
  const char *separator = "";
  for (int i = 0; i < CLASSES; i++) {
    const struct class_statistics *of = &snapshot->statistics.of[i];
    if (was_used(snapshot, i)) {
      printf("%s\"%s\":{\"signed\":%" PRIu64 ",\"refused_full\":%" PRIu64 ",\"refused_fault\":%" PRIu64
             ",\"failed\":%" PRIu64 ",\"abandoned\":%" PRIu64 ",\"overrun\":%" PRIu64
             ",\"in_service\":%u,\"in_queue\":%u,\"wait_mean_ms\":%.3f,\"wait_max_ms\":%.3f,"
             "\"service_mean_ms\":%.3f,\"service_max_ms\":%.3f}",
             separator, class_name((enum key_class)i), of->signed_, of->refused_full, of->refused_fault,
             of->failed, of->abandoned, of->overrun, snapshot->in_service[i], snapshot->in_queue[i],
             mean_millis(of->wait_sum, of->served), millis(of->wait_max),
             mean_millis(of->service_sum, of->served), millis(of->service_max));
      separator = ",";
    }
  }
}

/* One line. Names of profiles and classes are our own: nothing needs escapes. */
void stats_print_json(const struct snapshot *snapshot) {
  const struct statistics *statistics = &snapshot->statistics;
  const struct faults *faults = &snapshot->faults;
  char busy[24];
  printf("{\"profile\":\"%s\",\"time_ns\":%" PRId64 ",\"elapsed_ms\":%.3f,\"processes\":%u,",
         snapshot->config.profile, snapshot->now, millis(snapshot->now - statistics->since), snapshot->processes);
  printf("\"sessions\":{\"now\":%u,\"max\":%u,\"limit\":%u,\"refused\":%" PRIu64 "},", snapshot->sessions,
         statistics->sessions_max, snapshot->config.sessions, statistics->sessions_refused);
  print_json_servers(snapshot);
  printf("\"queue\":{\"now\":%u,\"limit\":%u,\"p50\":%u,\"p99\":%u,\"max\":%u,", snapshot->queued,
         snapshot->config.queue, queue_percentile(statistics, 0.5), queue_percentile(statistics, 0.99),
         statistics->queue_max);
  print_json_histogram(statistics);
  printf("},\"latency\":{\"p50_ms\":%.3f,\"p99_ms\":%.3f,\"max_ms\":%.3f",
         millis(sojourn_percentile(&statistics->sojourns, 0.5)),
         millis(sojourn_percentile(&statistics->sojourns, 0.99)), millis(statistics->sojourns.max));
  printf("},\"faults\":{\"busy\":%s%s%s,\"probability\":%g,\"device_error\":%s,\"removed\":%s,\"hang\":%s,"
         "\"slow\":%g,\"fake\":%s,\"crash\":%u},\"classes\":{",
         faults->busy_rv != 0 ? "\"" : "", faults->busy_rv != 0 ? ckr_name(faults->busy_rv, busy) : "null",
         faults->busy_rv != 0 ? "\"" : "", faults->busy_probability, faults->failing_rv != 0 ? "true" : "false",
         faults->removed ? "true" : "false", faults->hung_since != 0 ? "true" : "false", faults->slow,
         faults->fake ? "true" : "false", faults->crash);
  print_json_classes(snapshot);
  printf("}}\n");
}
