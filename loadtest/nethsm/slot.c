/* Slots and the token as the network shows them, and what makes key handles old. */
#include "module.h"

CK_RV C_GetInfo(CK_INFO *info) {
  CK_RV rv = module_enter();
  if (rv == CKR_OK) {
    rv = module.backing->C_GetInfo(info);
    module_leave();
  }
  return rv;
}

CK_RV C_GetSlotList(CK_BBOOL token_present, CK_SLOT_ID *list, CK_ULONG *count) {
  if (count == NULL) {
    return CKR_ARGUMENTS_BAD;
  }
  CK_RV rv = module_enter();
  if (rv == CKR_OK) {
    if (token_present && module_is_removed()) {
      *count = 0;
    } else {
      rv = module.backing->C_GetSlotList(token_present, list, count);
    }
    module_leave();
  }
  return rv;
}

CK_RV C_GetSlotInfo(CK_SLOT_ID slot, CK_SLOT_INFO *info) {
  CK_RV rv = module_enter();
  if (rv == CKR_OK) {
    rv = module.backing->C_GetSlotInfo(slot, info);
    if (rv == CKR_OK && module_is_removed()) {
      info->flags &= ~CKF_TOKEN_PRESENT;
    }
    module_leave();
  }
  return rv;
}

/* The limit of sessions is the HSM's; how many there are is not told. */
CK_RV C_GetTokenInfo(CK_SLOT_ID slot, CK_TOKEN_INFO *info) {
  CK_RV rv = module_enter();
  if (rv == CKR_OK) {
    rv = module_is_removed() ? CKR_TOKEN_NOT_PRESENT : module.backing->C_GetTokenInfo(slot, info);
    if (rv == CKR_OK) {
      info->ulMaxSessionCount = info->ulMaxRwSessionCount = module.attachment.state->config.sessions;
    }
    module_leave();
  }
  return rv;
}

/* Not through the gate: it may wait, and a simulated removal is no event of the backing module's. */
CK_RV C_WaitForSlotEvent(CK_FLAGS flags, CK_SLOT_ID *slot, void *reserved) {
  CK_RV rv = module_enter();
  if (rv == CKR_OK) {
    CK_C_WaitForSlotEvent wait = module.backing->C_WaitForSlotEvent;
    module_leave();
    rv = wait(flags, slot, reserved);
  }
  return rv;
}

static void forget_keys(void) {
  pthread_mutex_lock(&module.table);
  key_forget_all();
  pthread_mutex_unlock(&module.table);
}

CK_RV C_Logout(CK_SESSION_HANDLE session) {
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter(session, &backing);
  if (rv == CKR_OK) {
    rv = module.backing->C_Logout(backing);
    forget_keys();
    session_leave();
  }
  return rv;
}

CK_RV C_DestroyObject(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE object) {
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter(session, &backing);
  if (rv == CKR_OK) {
    rv = module.backing->C_DestroyObject(backing, object);
    forget_keys();
    session_leave();
  }
  return rv;
}
