/* What the PKCS#11 functions of one process share. */
#ifndef NETHSM_MODULE_H
#define NETHSM_MODULE_H

#include <p11-kit/pkcs11.h>

#include "state.h"

enum { PROCESS_SESSIONS_MAX = 4096, PARAMETER_BYTES_MAX = 64, CACHED_KEYS = 256 };

/* A signature between C_SignInit and its end. */
struct operation {
  bool active;    /* for the caller */
  bool live;      /* for the backing module: also after a signature that was refused or faked */
  bool multipart; /* C_SignUpdate was called */
  bool fake;
  CK_MECHANISM_TYPE mechanism;
  CK_BYTE parameter[PARAMETER_BYTES_MAX];
  CK_ULONG parameter_length;
  CK_OBJECT_HANDLE key;
  uint32_t generation; /* of the keys, when this began */
  enum key_class key_class;
  CK_ULONG signature_length; /* 0: only the backing module knows */
};

struct session {
  CK_SESSION_HANDLE handle; /* what the caller has; 0: a free entry */
  CK_SESSION_HANDLE backing;
  CK_SLOT_ID slot;
  struct operation operation;
};

struct cached_key {
  CK_OBJECT_HANDLE key; /* 0: none */
  enum key_class key_class;
  CK_ULONG signature_length;
};

/*
 * One a process, as PKCS#11 has it. Lock order: gate, then table, then the lock of the state.
 * The gate is held for reading around each call of the backing module, for writing when its sessions
 * are closed at once: SoftHSM dies when that happens under a signature.
 */
struct module {
  pthread_rwlock_t gate;
  pthread_mutex_t table;
  bool initialized;
  void *library;
  CK_FUNCTION_LIST *backing;
  struct attachment attachment;
  uint32_t epoch;
  uint32_t generation; /* atomic; of keys: a handle of an older one may mean another key */
  uint64_t handles;
  uint32_t inside; /* atomic: threads that wait for the HSM */
  struct session sessions[PROCESS_SESSIONS_MAX];
  struct cached_key keys[CACHED_KEYS];
};

extern struct module module;

/* For functions without a session. On CKR_OK the gate is held for reading. */
CK_RV module_enter(void);
void module_leave(void);
bool module_is_removed(void);

/* For functions with one: CKR_OK, the backing handle, and the gate; nothing is left over in the session. */
CK_RV session_enter(CK_SESSION_HANDLE handle, CK_SESSION_HANDLE *backing);
/* The same for functions that sign: what is left over in the session stays. */
CK_RV session_enter_signing(CK_SESSION_HANDLE handle, CK_SESSION_HANDLE *backing, struct operation *operation);
void session_leave(void);
/* With the gate held: keeps an operation in its session. */
void session_keep(CK_SESSION_HANDLE handle, const struct operation *operation);
/* With the gate held: closes all sessions of a slot (of all slots, if NULL). */
void session_forget_all(const CK_SLOT_ID *slot);
/* With the gate and the table held. */
void key_forget_all(void);
/* With the gate held. */
void key_find(CK_SESSION_HANDLE backing, CK_OBJECT_HANDLE key, struct cached_key *found);

#endif
