/*
 * Sessions of this process. The caller's handles are our own: they can be lost while those of the
 * backing module are there, and are never given twice.
 */
#include <string.h>

#include "module.h"

/* With the table held. The index is in a handle's low bits. */
static struct session *find(CK_SESSION_HANDLE handle) {
  struct session *session = &module.sessions[handle % PROCESS_SESSIONS_MAX];
  return handle != 0 && session->handle == handle ? session : NULL;
}

static bool is_outdated(void) {
  return module.epoch != __atomic_load_n(&module.attachment.state->sessions_epoch, __ATOMIC_ACQUIRE);
}

/* With the gate held for writing. */
static void lose_sessions(void) {
  struct attachment *attachment = &module.attachment;
  module.epoch = __atomic_load_n(&attachment->state->sessions_epoch, __ATOMIC_ACQUIRE);
  session_forget_all(NULL);
  state_lock(attachment);
  struct process *process = &attachment->state->processes[attachment->process];
  attachment->state->sessions -= process->sessions;
  process->sessions = 0;
  state_unlock(attachment);
}

/* The gate for reading, with the sessions of the present epoch only. */
static CK_RV enter(void) {
  CK_RV rv = module_enter();
  while (rv == CKR_OK && is_outdated()) {
    module_leave();
    pthread_rwlock_wrlock(&module.gate);
    if (module.initialized && is_outdated()) {
      lose_sessions();
    }
    module_leave();
    rv = module_enter();
  }
  return rv;
}

CK_RV session_enter_signing(CK_SESSION_HANDLE handle, CK_SESSION_HANDLE *backing, struct operation *operation) {
  CK_RV rv = enter();
  if (rv != CKR_OK) {
    return rv;
  }
  pthread_mutex_lock(&module.table);
  const struct session *session = find(handle);
  if (module_is_removed()) {
    rv = CKR_DEVICE_REMOVED;
  } else if (session == NULL) {
    rv = CKR_SESSION_HANDLE_INVALID;
  } else {
    *backing = session->backing;
    *operation = session->operation;
  }
  pthread_mutex_unlock(&module.table);
  if (rv != CKR_OK) {
    module_leave();
  }
  return rv;
}

/* PKCS#11 has no way to give an operation up but to end it: one signature of zeros, thrown away. */
static void end_leftover(CK_SESSION_HANDLE backing) {
  CK_BYTE data[32] = {0};
  CK_BYTE signature[8192];
  CK_ULONG length = sizeof signature;
  module.backing->C_Sign(backing, data, sizeof data, signature, &length);
}

CK_RV session_enter(CK_SESSION_HANDLE handle, CK_SESSION_HANDLE *backing) {
  struct operation operation;
  CK_RV rv = session_enter_signing(handle, backing, &operation);
  if (rv == CKR_OK && operation.live && !operation.active) {
    end_leftover(*backing);
    session_keep(handle, &(struct operation){.active = false});
  }
  return rv;
}

void session_leave(void) { module_leave(); }

void session_keep(CK_SESSION_HANDLE handle, const struct operation *operation) {
  pthread_mutex_lock(&module.table);
  struct session *session = find(handle);
  if (session != NULL) {
    session->operation = *operation;
  }
  pthread_mutex_unlock(&module.table);
}

void session_forget_all(const CK_SLOT_ID *slot) {
  pthread_mutex_lock(&module.table);
  for (int i = 0; i < PROCESS_SESSIONS_MAX; i++) {
    struct session *session = &module.sessions[i];
    if (session->handle != 0 && (slot == NULL || session->slot == *slot)) {
      module.backing->C_CloseSession(session->backing);
      session->handle = 0;
    }
  }
  key_forget_all();
  pthread_mutex_unlock(&module.table);
}

/* Counts a session of the HSM; false when there are too many. */
static bool take_session(struct attachment *attachment) {
  struct state *state = attachment->state;
  state_lock(attachment);
  state_reap(attachment, now_nanos(), state->sessions >= state->config.sessions);
  bool taken = state->sessions < state->config.sessions;
  if (taken) {
    state->sessions++;
    state->processes[attachment->process].sessions++;
    if (state->sessions > state->statistics.sessions_max) {
      state->statistics.sessions_max = state->sessions;
    }
  } else {
    state->statistics.sessions_refused++;
  }
  state_unlock(attachment);
  return taken;
}

static void give_sessions(struct attachment *attachment, uint32_t count) {
  state_lock(attachment);
  struct process *process = &attachment->state->processes[attachment->process];
  uint32_t given = count < process->sessions ? count : process->sessions;
  process->sessions -= given;
  attachment->state->sessions -= given;
  state_unlock(attachment);
}

static CK_RV keep_new(CK_SLOT_ID slot, CK_SESSION_HANDLE backing, CK_SESSION_HANDLE *handle) {
  CK_RV rv = CKR_SESSION_COUNT;
  pthread_mutex_lock(&module.table);
  for (int i = 0; i < PROCESS_SESSIONS_MAX && rv != CKR_OK; i++) {
    /* Index 0 too: the first counter is 1. */
    uint64_t counter = module.handles + 1 + (uint64_t)i;
    struct session *session = &module.sessions[counter % PROCESS_SESSIONS_MAX];
    if (session->handle == 0) {
      module.handles = counter;
      *session = (struct session){.handle = counter, .backing = backing, .slot = slot};
      *handle = counter;
      rv = CKR_OK;
    }
  }
  pthread_mutex_unlock(&module.table);
  return rv;
}

/* Surrender callbacks are not forwarded: they would tell the backing module's handle. */
static CK_RV open_session(CK_SLOT_ID slot, CK_FLAGS flags, CK_SESSION_HANDLE *handle) {
  if (module_is_removed()) {
    return CKR_TOKEN_NOT_PRESENT;
  }
  if (!take_session(&module.attachment)) {
    return CKR_SESSION_COUNT;
  }
  CK_SESSION_HANDLE backing;
  CK_RV rv = module.backing->C_OpenSession(slot, flags, NULL, NULL, &backing);
  if (rv == CKR_OK) {
    rv = keep_new(slot, backing, handle);
    if (rv != CKR_OK) {
      module.backing->C_CloseSession(backing);
    }
  }
  if (rv != CKR_OK) {
    give_sessions(&module.attachment, 1);
  }
  return rv;
}

CK_RV C_OpenSession(CK_SLOT_ID slot, CK_FLAGS flags, void *application, CK_NOTIFY notify, CK_SESSION_HANDLE *handle) {
  (void)application;
  (void)notify;
  if (handle == NULL) {
    return CKR_ARGUMENTS_BAD;
  }
  CK_RV rv = enter();
  if (rv == CKR_OK) {
    rv = open_session(slot, flags, handle);
    module_leave();
  }
  return rv;
}

CK_RV C_CloseSession(CK_SESSION_HANDLE handle) {
  struct operation operation;
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter_signing(handle, &backing, &operation);
  if (rv != CKR_OK) {
    return rv;
  }
  pthread_mutex_lock(&module.table);
  struct session *session = find(handle);
  if (session != NULL) {
    session->handle = 0;
  }
  pthread_mutex_unlock(&module.table);
  if (session == NULL) {
    rv = CKR_SESSION_HANDLE_INVALID;
  } else {
    rv = module.backing->C_CloseSession(backing);
    give_sessions(&module.attachment, 1);
  }
  session_leave();
  return rv;
}

CK_RV C_CloseAllSessions(CK_SLOT_ID slot) {
  pthread_rwlock_wrlock(&module.gate);
  CK_RV rv = CKR_CRYPTOKI_NOT_INITIALIZED;
  if (module.initialized) {
    uint32_t count = 0;
    for (int i = 0; i < PROCESS_SESSIONS_MAX; i++) {
      count += module.sessions[i].handle != 0 && module.sessions[i].slot == slot;
    }
    session_forget_all(&slot);
    give_sessions(&module.attachment, count);
    rv = module_is_removed() ? CKR_TOKEN_NOT_PRESENT : module.backing->C_CloseAllSessions(slot);
  }
  module_leave();
  return rv;
}
