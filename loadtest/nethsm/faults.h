/* Faults, steered at run time. All with the lock held. */
#ifndef NETHSM_FAULTS_H
#define NETHSM_FAULTS_H

#include "queue.h"

void fault_busy(struct state *state, uint64_t rv, double probability);
void fault_device_error(struct state *state, int64_t now);
void fault_removed(struct state *state, int64_t now);
void fault_back(struct state *state);
void fault_sessions_lost(struct state *state);
void fault_hang(struct state *state, int64_t now);
void fault_unhang(struct state *state, int64_t now);
/* Ends every fault; lost sessions stay lost. */
void fault_clear(struct state *state, int64_t now);

#endif
