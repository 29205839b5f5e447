/* Which server serves which keys: with `ec-servers`, the first so many serve EC and EdDSA keys alone, the others the rest. */
#ifndef NETHSM_ENGINES_H
#define NETHSM_ENGINES_H

#include "state.h"

/* The kind of a key of this class, that is of the servers that may serve it. Without `ec-servers` all is KIND_REST. */
enum kind engines_kind(const struct config *config, uint32_t key_class);
uint32_t engines_count(const struct config *config, enum kind kind);
/* The idle server of a kind that has waited longest; -1: none. */
int engines_idle(const struct state *state, enum kind kind);

/* The kind that a server is of. */
enum kind engines_kind_of_server(const struct config *config, uint32_t server);
/* A job in service (or at its end) held its server until UNTIL: adds that to the sums of busy time. */
void engines_count_busy(const struct config *config, struct statistics *statistics, const struct job *job,
                        int64_t until);

/* With the lock held: takes over settings at run time. */
void engines_configure(struct state *state, const struct config *config, int64_t now);

#endif
