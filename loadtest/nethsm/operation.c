/*
 * C_SignInit, C_Sign, C_SignUpdate, C_SignFinal. A refused or faked signature leaves the backing
 * module's operation standing; the next C_SignInit takes it over if it asks for the same.
 */
#include <string.h>

#include "sign.h"

/* Of these mechanisms the parameter, if any, holds no pointers: equal bytes mean equal parameters. */
static bool is_comparable(const CK_MECHANISM *mechanism) {
  return mechanism->ulParameterLen == 0 ||
         (mechanism->mechanism != CKM_EDDSA && mechanism->pParameter != NULL &&
          mechanism->ulParameterLen == sizeof(CK_RSA_PKCS_PSS_PARAMS));
}

static bool is_same(const struct operation *operation, const CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key) {
  return operation->key == key && operation->mechanism == mechanism->mechanism &&
         operation->generation == __atomic_load_n(&module.generation, __ATOMIC_ACQUIRE) && is_comparable(mechanism) &&
         operation->parameter_length == mechanism->ulParameterLen &&
         (mechanism->ulParameterLen == 0 ||
          memcmp(operation->parameter, mechanism->pParameter, mechanism->ulParameterLen) == 0);
}

static void begin(struct operation *operation, const CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key,
                  CK_SESSION_HANDLE backing) {
  struct cached_key cached;
  key_find(backing, key, &cached);
  *operation = (struct operation){
      .active = true,
      .live = true,
      .mechanism = mechanism->mechanism,
      .key = key,
      .generation = __atomic_load_n(&module.generation, __ATOMIC_ACQUIRE),
      .key_class = cached.key_class,
      .signature_length = cached.signature_length,
      .parameter_length = (CK_ULONG)-1,
  };
  if (is_comparable(mechanism)) {
    operation->parameter_length = mechanism->ulParameterLen;
    if (mechanism->ulParameterLen > 0) {
      memcpy(operation->parameter, mechanism->pParameter, mechanism->ulParameterLen);
    }
  }
  operation->fake = cached.signature_length > 0 &&
                    __atomic_load_n(&module.attachment.state->faults.fake, __ATOMIC_ACQUIRE) != 0;
}

CK_RV C_SignInit(CK_SESSION_HANDLE session, CK_MECHANISM *mechanism, CK_OBJECT_HANDLE key) {
  if (mechanism == NULL) {
    return CKR_ARGUMENTS_BAD;
  }
  struct operation operation;
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter_signing(session, &backing, &operation);
  if (rv != CKR_OK) {
    return rv;
  }
  bool taken_over = operation.live && !operation.active && is_same(&operation, mechanism, key);
  session_leave();
  if (operation.active) {
    return CKR_OPERATION_ACTIVE;
  }
  rv = taken_over ? session_enter_signing(session, &backing, &operation) : session_enter(session, &backing);
  if (rv == CKR_OK) {
    if (!taken_over) {
      rv = module.backing->C_SignInit(backing, mechanism, key);
    }
    if (rv == CKR_OK) {
      begin(&operation, mechanism, key, backing);
      session_keep(session, &operation);
    }
    session_leave();
  }
  return rv;
}

/* What needs no HSM: asking for the length, a buffer that is too small. True when answered. */
static bool answer_length(const struct operation *operation, const struct signature *signature, CK_RV *rv) {
  if (signature->length == NULL || operation->signature_length == 0) {
    *rv = CKR_ARGUMENTS_BAD;
    return signature->length == NULL;
  }
  if (signature->bytes != NULL && *signature->length >= operation->signature_length) {
    return false;
  }
  *rv = signature->bytes == NULL ? CKR_OK : CKR_BUFFER_TOO_SMALL;
  *signature->length = operation->signature_length;
  return true;
}

static CK_RV sign(CK_SESSION_HANDLE session, const struct signature *signature, bool final) {
  struct operation operation;
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter_signing(session, &backing, &operation);
  if (rv != CKR_OK) {
    return rv;
  }
  if (!operation.active || (operation.multipart && !final)) {
    rv = operation.active ? CKR_OPERATION_ACTIVE : CKR_OPERATION_NOT_INITIALIZED;
    session_leave();
    return rv;
  }
  if (answer_length(&operation, signature, &rv)) {
    session_leave();
    return rv;
  }
  if (signature->bytes == NULL) {
    /* The length of a signature of a class that we do not know. */
    rv = final ? module.backing->C_SignFinal(backing, NULL, signature->length)
               : module.backing->C_Sign(backing, signature->data, signature->data_length, NULL, signature->length);
    session_leave();
    return rv;
  }
  if (final && !operation.multipart) {
    operation.multipart = true;
    session_keep(session, &operation);
  }
  /* Before the gate is left, so that C_Finalize sees this thread. */
  __atomic_add_fetch(&module.inside, 1, __ATOMIC_ACQ_REL);
  session_leave();
  rv = sign_over_network(session, &operation, signature);
  __atomic_sub_fetch(&module.inside, 1, __ATOMIC_ACQ_REL);
  if (rv != CKR_OK && rv != CKR_BUFFER_TOO_SMALL) {
    memset(signature->bytes, 0, *signature->length);
  }
  if (rv != CKR_BUFFER_TOO_SMALL && (rv != CKR_OK || operation.fake)) {
    sign_end_refused(session);
  }
  return rv;
}

CK_RV C_Sign(CK_SESSION_HANDLE session, CK_BYTE *data, CK_ULONG data_length, CK_BYTE *bytes, CK_ULONG *length) {
  return sign(session, &(struct signature){data, data_length, bytes, length}, false);
}

CK_RV C_SignFinal(CK_SESSION_HANDLE session, CK_BYTE *bytes, CK_ULONG *length) {
  return sign(session, &(struct signature){NULL, 0, bytes, length}, true);
}

CK_RV C_SignUpdate(CK_SESSION_HANDLE session, CK_BYTE *part, CK_ULONG part_length) {
  struct operation operation;
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter_signing(session, &backing, &operation);
  if (rv != CKR_OK) {
    return rv;
  }
  if (!operation.active) {
    rv = CKR_OPERATION_NOT_INITIALIZED;
  } else {
    rv = module.backing->C_SignUpdate(backing, part, part_length);
    operation.multipart = true;
    if (rv != CKR_OK) {
      operation = (struct operation){.active = false};
    }
    session_keep(session, &operation);
  }
  session_leave();
  return rv;
}
