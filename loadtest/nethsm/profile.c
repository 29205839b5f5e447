#include "profile.h"

#include <errno.h>
#include <p11-kit/pkcs11.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MILLI 1000000LL

static const char *const CLASS_NAMES[CLASSES] = {
    "rsa-2048", "rsa-3072", "rsa-4096", "rsa-other", "ec-p256",
    "ec-p384",  "ec-p521",  "ed25519",  "ed448",     "other"};

/*
 * Sources of the numbers: README.md, "Profiles". A class whose figure nobody publishes is scaled from
 * its neighbour: RSA 3.4 and 8 times RSA-2048 for 3072 and 4096 bits, P-384 twice and P-521 four times P-256.
 */
#define SERVICES(r2, r3, r4, p256, p384, p521)                                               \
  {[RSA_2048] = (r2), [RSA_3072] = (r3), [RSA_4096] = (r4), [RSA_OTHER] = (r4),              \
   [EC_P256] = (p256), [EC_P384] = (p384), [EC_P521] = (p521), [ED25519] = (p256), [ED448] = (p521), \
   [OTHER] = (p256)}

static const struct config PROFILES[] = {
    {.profile = "netHSM2000", .servers = 8, .queue = 150, .sessions = 4096, .seed = 1,
     .busy_rv = CKR_DEVICE_ERROR, .rtt = MILLI,
     .service = SERVICES(40 * MILLI, 136 * MILLI, 320 * MILLI, 40 * MILLI, 80 * MILLI, 160 * MILLI)},
    {.profile = "managedhsm", .servers = 9, .queue = 128, .sessions = 1024, .seed = 1,
     .busy_rv = CKR_FUNCTION_FAILED, .rtt = MILLI,
     .service = SERVICES(10 * MILLI, 34 * MILLI, 60 * MILLI, 27272727, 54545455, 109090909)},
    {.profile = "luna790", .servers = 20, .queue = 256, .sessions = 800, .seed = 1,
     .busy_rv = CKR_DEVICE_ERROR, .rtt = MILLI,
     .service = SERVICES(2 * MILLI, 6800000, 16 * MILLI, 909091, 1818182, 3636364)},
    {.profile = "yubihsm", .servers = 1, .queue = 16, .sessions = 16, .seed = 1,
     .busy_rv = CKR_FUNCTION_FAILED,
     .service = SERVICES(139 * MILLI, 472600000, 1112 * MILLI, 73 * MILLI, 146 * MILLI, 292 * MILLI)},
    {.profile = "plain", .servers = SERVERS_MAX, .queue = QUEUE_MAX, .sessions = SESSIONS_MAX, .seed = 1,
     .busy_rv = CKR_DEVICE_ERROR},
};

static const struct {
  uint64_t rv;
  const char *name;
} CKRS[] = {
#define CKR(name) {name, #name}
    CKR(CKR_OK), CKR(CKR_CANCEL), CKR(CKR_HOST_MEMORY), CKR(CKR_SLOT_ID_INVALID), CKR(CKR_GENERAL_ERROR),
    CKR(CKR_FUNCTION_FAILED), CKR(CKR_ARGUMENTS_BAD), CKR(CKR_CANT_LOCK), CKR(CKR_DATA_LEN_RANGE),
    CKR(CKR_DEVICE_ERROR), CKR(CKR_DEVICE_MEMORY), CKR(CKR_DEVICE_REMOVED), CKR(CKR_FUNCTION_CANCELED),
    CKR(CKR_FUNCTION_NOT_SUPPORTED), CKR(CKR_KEY_HANDLE_INVALID), CKR(CKR_MECHANISM_INVALID),
    CKR(CKR_OBJECT_HANDLE_INVALID), CKR(CKR_OPERATION_ACTIVE), CKR(CKR_OPERATION_NOT_INITIALIZED),
    CKR(CKR_PIN_INCORRECT), CKR(CKR_PIN_LOCKED), CKR(CKR_SESSION_CLOSED), CKR(CKR_SESSION_COUNT),
    CKR(CKR_SESSION_HANDLE_INVALID), CKR(CKR_SIGNATURE_INVALID), CKR(CKR_TOKEN_NOT_PRESENT),
    CKR(CKR_USER_ALREADY_LOGGED_IN), CKR(CKR_USER_NOT_LOGGED_IN), CKR(CKR_BUFFER_TOO_SMALL),
    CKR(CKR_CRYPTOKI_NOT_INITIALIZED), CKR(CKR_CRYPTOKI_ALREADY_INITIALIZED),
};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

const char *class_name(enum key_class key_class) { return CLASS_NAMES[key_class]; }

const char *profile_name(size_t index) {
  return index < LENGTH(PROFILES) ? PROFILES[index].profile : NULL;
}

bool profile_find(const char *name, struct config *config) {
  for (size_t i = 0; i < LENGTH(PROFILES); i++) {
    if (strcmp(PROFILES[i].profile, name) == 0) {
      *config = PROFILES[i];
      return true;
    }
  }
  return false;
}

bool number_parse(const char *text, double least, double most, double *number) {
  char *end;
  errno = 0;
  double parsed = strtod(text, &end);
  /* The comparison is also false for what is not a number. */
  if (errno != 0 || end == text || *end != '\0' || !(parsed >= least && parsed <= most)) {
    return false;
  }
  *number = parsed;
  return true;
}

static bool complain(const char *key, const char *value, const char *wanted) {
  fprintf(stderr, "nethsm: %s: '%s' is not %s\n", key, value, wanted);
  return false;
}

static bool set_count(const char *key, const char *value, uint32_t least, uint32_t most, uint32_t *count) {
  double number;
  if (!number_parse(value, least, most, &number) || number != (double)(uint32_t)number) {
    char wanted[64];
    snprintf(wanted, sizeof wanted, "a whole number from %u to %u", least, most);
    return complain(key, value, wanted);
  }
  *count = (uint32_t)number;
  return true;
}

static bool set_millis(const char *key, const char *value, int64_t *nanos) {
  double number;
  if (!number_parse(value, 0, MILLISECONDS_MAX, &number)) {
    return complain(key, value, "milliseconds from 0 to 60000");
  }
  *nanos = (int64_t)(number * (double)MILLI + 0.5);
  return true;
}

static bool set_service(struct config *config, const char *key, const char *name, const char *value) {
  for (int i = 0; i < CLASSES; i++) {
    if (strcmp(name, CLASS_NAMES[i]) == 0) {
      return set_millis(key, value, &config->service[i]);
    }
  }
  fprintf(stderr, "nethsm: no class of keys '%s': rsa-2048 rsa-3072 rsa-4096 rsa-other ec-p256 ec-p384 "
                  "ec-p521 ed25519 ed448 other\n", name);
  return false;
}

static bool set_seed(const char *key, const char *value, uint64_t *seed) {
  char *end;
  errno = 0;
  unsigned long long parsed = strtoull(value, &end, 10);
  if (errno != 0 || end == value || *end != '\0' || *value == '-') {
    return complain(key, value, "a whole number below 2^64");
  }
  *seed = parsed;
  return true;
}

bool config_set(struct config *config, const char *key, const char *value) {
  if (strcmp(key, "servers") == 0) {
    return set_count(key, value, 1, SERVERS_MAX, &config->servers);
  }
  if (strcmp(key, "ec-servers") == 0) {
    return set_count(key, value, 0, SERVERS_MAX - 1, &config->ec_servers);
  }
  if (strcmp(key, "queue") == 0) {
    return set_count(key, value, 0, QUEUE_MAX, &config->queue);
  }
  if (strcmp(key, "sessions") == 0) {
    return set_count(key, value, 1, SESSIONS_MAX, &config->sessions);
  }
  if (strcmp(key, "rtt") == 0) {
    return set_millis(key, value, &config->rtt);
  }
  if (strcmp(key, "jitter") == 0) {
    return set_millis(key, value, &config->jitter);
  }
  if (strcmp(key, "seed") == 0) {
    return set_seed(key, value, &config->seed);
  }
  if (strcmp(key, "busy") == 0) {
    return ckr_parse(value, &config->busy_rv) || complain(key, value, "a CKR (name or number) other than CKR_OK");
  }
  if (strcmp(key, "distribution") == 0) {
    config->exponential = strcmp(value, "exponential") == 0;
    return config->exponential || strcmp(value, "constant") == 0 ||
           complain(key, value, "constant or exponential");
  }
  if (strncmp(key, "service.", 8) == 0) {
    return set_service(config, key, key + 8, value);
  }
  fprintf(stderr, "nethsm: no setting '%s': servers ec-servers queue sessions rtt jitter seed busy "
                  "distribution service.CLASS\n", key);
  return false;
}

bool config_check(const struct config *config) {
  if (config->ec_servers < config->servers) {
    return true;
  }
  fprintf(stderr, "nethsm: ec-servers: %u of %u servers would leave none for other keys\n", config->ec_servers,
          config->servers);
  return false;
}

bool ckr_parse(const char *text, uint64_t *rv) {
  for (size_t i = 0; i < LENGTH(CKRS); i++) {
    if (strcmp(text, CKRS[i].name) == 0) {
      *rv = CKRS[i].rv;
      return *rv != CKR_OK;
    }
  }
  char *end;
  errno = 0;
  unsigned long parsed = strtoul(text, &end, 0);
  if (errno != 0 || end == text || *end != '\0' || *text == '-' || parsed > 0xFFFFFFFFUL) {
    return false;
  }
  *rv = parsed;
  return parsed != CKR_OK;
}

const char *ckr_name(uint64_t rv, char buffer[24]) {
  for (size_t i = 0; i < LENGTH(CKRS); i++) {
    if (CKRS[i].rv == rv) {
      return CKRS[i].name;
    }
  }
  snprintf(buffer, 24, "0x%llx", (unsigned long long)rv);
  return buffer;
}
