/* The program `nethsm`: makes the state of a simulated HSM, steers its faults, shows its statistics. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines.h"
#include "faults.h"
#include "stats.h"

enum { OK = 0, FAILED = 1, BAD_USAGE = 2 };

static const char USAGE[] =
    "nethsm STATE create --profile P [--servers K] [--ec-servers N] [--queue Q] [--rtt MS] [--jitter MS]\n"
    "             [--service CLASS=MS]... [--distribution constant|exponential] [--sessions N]\n"
    "             [--busy CKR] [--seed N]\n"
    "nethsm STATE set KEY=VALUE...      (the same without dashes; service.CLASS=MS)\n"
    "nethsm STATE fault busy CKR [--probability P] | device-error | removed | back | sessions-lost |\n"
    "                   hang | unhang | slow FACTOR | fake on|off | crash-next [before|after] | clear\n"
    "nethsm STATE stats [--json] [--watch SECONDS] [--reset]\n";

static int bad_usage(const char *problem, const char *what) {
  fprintf(stderr, "nethsm: %s%s%s (nethsm --help)\n", problem, what != NULL ? ": " : "", what != NULL ? what : "");
  return BAD_USAGE;
}

static bool is(const char *text, const char *other) { return text != NULL && strcmp(text, other) == 0; }

/* --service CLASS=MS is the setting service.CLASS. */
static bool set_service(struct config *config, const char *value) {
  char key[64];
  const char *equals = strchr(value, '=');
  if (equals == NULL || (size_t)(equals - value) > sizeof key - 10) {
    fprintf(stderr, "nethsm: --service: '%s' is not CLASS=MS\n", value);
    return false;
  }
  snprintf(key, sizeof key, "service.%.*s", (int)(equals - value), value);
  return config_set(config, key, equals + 1);
}

static int unknown_profile(const char *name) {
  fprintf(stderr, "nethsm: no profile '%s':", name);
  for (size_t i = 0; profile_name(i) != NULL; i++) {
    fprintf(stderr, " %s", profile_name(i));
  }
  fprintf(stderr, "\n");
  return BAD_USAGE;
}

/* The profile comes first wherever it stands, the options change it. */
static int create(const char *file, char **arguments) {
  struct config config;
  const char *profile = NULL;
  for (char **at = arguments; *at != NULL; at += 2) {
    if (strncmp(*at, "--", 2) != 0 || at[1] == NULL) {
      return bad_usage("not an option with a value", *at);
    }
    profile = is(*at, "--profile") ? at[1] : profile;
  }
  if (profile == NULL) {
    return bad_usage("create needs --profile", NULL);
  }
  if (!profile_find(profile, &config)) {
    return unknown_profile(profile);
  }
  for (char **at = arguments; *at != NULL; at += 2) {
    bool set = is(*at, "--profile") ||
               (is(*at, "--service") ? set_service(&config, at[1]) : config_set(&config, *at + 2, at[1]));
    if (!set) {
      return BAD_USAGE;
    }
  }
  if (!config_check(&config)) {
    return BAD_USAGE;
  }
  return state_create(file, &config) ? OK : FAILED;
}

/* All settings or none. */
static int set(struct attachment *attachment, char **arguments) {
  struct state *state = attachment->state;
  if (*arguments == NULL) {
    return bad_usage("set needs KEY=VALUE", NULL);
  }
  state_lock(attachment);
  struct config config = state->config;
  int result = OK;
  for (char **at = arguments; *at != NULL && result == OK; at++) {
    char *equals = strchr(*at, '=');
    if (equals == NULL) {
      result = bad_usage("not KEY=VALUE", *at);
    } else {
      *equals = '\0';
      result = config_set(&config, *at, equals + 1) ? OK : BAD_USAGE;
    }
  }
  /* Not each by itself: servers and ec-servers may come in either order. */
  if (result == OK && !config_check(&config)) {
    result = BAD_USAGE;
  }
  if (result == OK) {
    if (config.seed != state->config.seed) {
      __atomic_store_n(&state->random, config.seed, __ATOMIC_RELAXED);
    }
    engines_configure(state, &config, now_nanos());
  }
  state_unlock(attachment);
  return result;
}

static int set_busy(struct state *state, char **arguments) {
  uint64_t rv;
  double probability = 1;
  if (arguments[1] == NULL || !ckr_parse(arguments[1], &rv)) {
    return bad_usage("busy needs a CKR (name or number) other than CKR_OK", arguments[1]);
  }
  if (arguments[2] != NULL && (!is(arguments[2], "--probability") || arguments[3] == NULL || arguments[4] != NULL ||
                               !number_parse(arguments[3], 0, 1, &probability))) {
    return bad_usage("busy CKR [--probability from 0 to 1]", arguments[2]);
  }
  fault_busy(state, rv, probability);
  return OK;
}

/* Faults with a value. */
static int set_fault_to(struct state *state, const char *name, const char *value) {
  double factor;
  if (is(name, "slow")) {
    if (value == NULL || !number_parse(value, 0.001, 1000, &factor)) {
      return bad_usage("slow needs a factor from 0.001 to 1000", value);
    }
    state->faults.slow = factor;
  } else if (is(name, "fake")) {
    if (!is(value, "on") && !is(value, "off")) {
      return bad_usage("fake needs on or off", value);
    }
    __atomic_store_n(&state->faults.fake, is(value, "on"), __ATOMIC_RELEASE);
  } else if (is(name, "crash-next")) {
    if (value != NULL && !is(value, "before") && !is(value, "after")) {
      return bad_usage("crash-next takes before or after", value);
    }
    __atomic_store_n(&state->faults.crash, is(value, "after") ? 2 : 1, __ATOMIC_RELEASE);
  } else {
    return bad_usage("no such fault", name);
  }
  return OK;
}

static int set_fault(struct state *state, char **arguments) {
  const char *name = arguments[0];
  int64_t now = now_nanos();
  if (name == NULL) {
    return bad_usage("fault needs a name", NULL);
  }
  if (is(name, "busy")) {
    return set_busy(state, arguments);
  }
  if (arguments[1] != NULL && arguments[2] != NULL) {
    return bad_usage("too many words", arguments[2]);
  }
  if (arguments[1] != NULL) {
    return set_fault_to(state, name, arguments[1]);
  }
  if (is(name, "device-error")) {
    fault_device_error(state, now);
  } else if (is(name, "removed")) {
    fault_removed(state, now);
  } else if (is(name, "back")) {
    fault_back(state);
  } else if (is(name, "sessions-lost")) {
    fault_sessions_lost(state);
  } else if (is(name, "hang")) {
    fault_hang(state, now);
  } else if (is(name, "unhang")) {
    fault_unhang(state, now);
  } else if (is(name, "clear")) {
    fault_clear(state, now);
  } else {
    return set_fault_to(state, name, NULL);
  }
  return OK;
}

static int stats(struct attachment *attachment, char **arguments) {
  bool json = false;
  bool reset = false;
  double watch = 0;
  for (; *arguments != NULL; arguments++) {
    if (is(*arguments, "--json")) {
      json = true;
    } else if (is(*arguments, "--reset")) {
      reset = true;
    } else if (is(*arguments, "--watch") && arguments[1] != NULL && number_parse(arguments[1], 0.1, 86400, &watch)) {
      arguments++;
    } else {
      return bad_usage("stats takes --json, --reset, --watch SECONDS (from 0.1)", *arguments);
    }
  }
  static struct snapshot snapshot; /* 33 KB: too much for some stacks */
  int64_t next = now_nanos();
  do {
    stats_take(attachment, reset, &snapshot);
    if (json) {
      stats_print_json(&snapshot);
    } else {
      stats_print_text(&snapshot);
    }
    if (fflush(stdout) != 0) {
      return FAILED;
    }
    next += (int64_t)(watch * (double)NANOS_PER_SECOND);
    sleep_until(watch > 0 ? next : 0);
  } while (watch > 0);
  return OK;
}

int main(int count, char **arguments) {
  if (count == 2 && (is(arguments[1], "--help") || is(arguments[1], "-h"))) {
    fputs(USAGE, stdout);
    return OK;
  }
  if (count < 3) {
    fputs(USAGE, stderr);
    return BAD_USAGE;
  }
  const char *file = arguments[1];
  const char *command = arguments[2];
  if (is(command, "create")) {
    return create(file, arguments + 3);
  }
  if (!is(command, "set") && !is(command, "fault") && !is(command, "stats")) {
    return bad_usage("no such command", command);
  }
  struct attachment attachment;
  if (!state_attach(file, &attachment)) {
    return FAILED;
  }
  int result;
  if (is(command, "set")) {
    result = set(&attachment, arguments + 3);
  } else if (is(command, "stats")) {
    result = stats(&attachment, arguments + 3);
  } else {
    state_lock(&attachment);
    result = set_fault(attachment.state, arguments + 3);
    state_unlock(&attachment);
  }
  state_detach(&attachment);
  return result;
}
