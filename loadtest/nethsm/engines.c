#include "engines.h"

#include <string.h>

#include "queue.h"

enum kind engines_kind(const struct config *config, uint32_t key_class) {
  return config->ec_servers > 0 && key_class >= EC_P256 && key_class <= ED448 ? KIND_EC : KIND_REST;
}

enum kind engines_kind_of_server(const struct config *config, uint32_t server) {
  return server < config->ec_servers ? KIND_EC : KIND_REST;
}

uint32_t engines_count(const struct config *config, enum kind kind) {
  return kind == KIND_EC ? config->ec_servers : config->servers - config->ec_servers;
}

int engines_idle(const struct state *state, enum kind kind) {
  uint32_t from = kind == KIND_EC ? 0 : state->config.ec_servers;
  uint32_t to = kind == KIND_EC ? state->config.ec_servers : state->config.servers;
  int best = -1;
  for (uint32_t i = from; i < to; i++) {
    if (state->servers[i].occupant == 0 &&
        (best < 0 || state->servers[i].free_at < state->servers[best].free_at)) {
      best = (int)i;
    }
  }
  return best;
}

static int64_t held(const struct job *job, int64_t since, int64_t until) {
  int64_t from = job->start > since ? job->start : since;
  return until > from ? until - from : 0;
}

void engines_count_busy(const struct config *config, struct statistics *statistics, const struct job *job,
                        int64_t until) {
  statistics->busy_nanos += held(job, statistics->since, until);
  statistics->kind_busy_nanos[engines_kind_of_server(config, job->server)] += held(job, statistics->kinds_since, until);
}

/* A share of the time of so many servers has a meaning only while they are so many. */
static void begin_kinds_anew(struct statistics *statistics, int64_t now) {
  memset(statistics->kind_busy_nanos, 0, sizeof statistics->kind_busy_nanos);
  statistics->kinds_since = now;
}

void engines_configure(struct state *state, const struct config *config, int64_t now) {
  queue_advance(state, now);
  queue_note(state, now);
  bool divided_anew = config->ec_servers != state->config.ec_servers;
  if (divided_anew || config->servers != state->config.servers) {
    begin_kinds_anew(&state->statistics, now);
  }
  /* What may serve other jobs than before begins none of them before now, also when it is busy still. */
  for (uint32_t i = divided_anew ? 0 : state->config.servers; i < config->servers; i++) {
    if (state->servers[i].free_at < now) {
      state->servers[i].free_at = now;
    }
  }
  state->config = *config;
  queue_advance(state, now);
}
