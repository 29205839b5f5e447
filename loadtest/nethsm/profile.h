/* What a simulated HSM is like: classes of keys, profiles as data, settings by name, CKR by name. */
#ifndef NETHSM_PROFILE_H
#define NETHSM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits. Real devices stay far below; what is above is a mistake in a command line. */
enum { SERVERS_MAX = 256, QUEUE_MAX = 4096, SESSIONS_MAX = 65536 };
#define MILLISECONDS_MAX 60000.0

/* What decides the time of a signature: the key, for hashing costs nothing beside it. */
enum key_class {
  RSA_2048, RSA_3072, RSA_4096, RSA_OTHER, EC_P256, EC_P384, EC_P521, ED25519, ED448, OTHER, CLASSES
};

struct config {
  char profile[24];
  uint32_t servers, queue, sessions;
  uint32_t ec_servers; /* so many of the servers serve EC and EdDSA keys alone; 0: no such division */
  bool exponential;
  uint64_t seed, busy_rv;
  int64_t rtt, jitter, service[CLASSES]; /* nanoseconds */
};

const char *class_name(enum key_class key_class);

/* False when there is none of that name. */
bool profile_find(const char *name, struct config *config);
const char *profile_name(size_t index); /* NULL behind the last */

/* Sets KEY to VALUE, e.g. `servers` `8`, `service.rsa-2048` `40`; false with a line on stderr. */
bool config_set(struct config *config, const char *key, const char *value);
/* Whether the settings go together; false with a line on stderr. */
bool config_check(const struct config *config);

/* A name (CKR_DEVICE_ERROR) or a number (0x30); 0 and unknown ones are false. */
bool ckr_parse(const char *text, uint64_t *rv);
/* The name, or hexadecimal digits in BUFFER. */
const char *ckr_name(uint64_t rv, char buffer[24]);

/* A decimal number in [least, most] and nothing behind it. */
bool number_parse(const char *text, double least, double most, double *number);

#endif
