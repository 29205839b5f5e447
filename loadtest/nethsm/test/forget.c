/* Takes key pairs out of a token. */
#include <stdio.h>
#include <string.h>

#include "caller.h"

enum { SLOTS_MAX = 64, OBJECTS_MAX = 16 };

static CK_RV find_slot(const char *label, CK_SLOT_ID *slot) {
  CK_SLOT_ID slots[SLOTS_MAX];
  CK_ULONG count = SLOTS_MAX;
  CK_RV rv = hsm->C_GetSlotList(CK_TRUE, slots, &count);
  for (CK_ULONG i = 0; rv == CKR_OK && i < count; i++) {
    CK_TOKEN_INFO info;
    char padded[sizeof info.label + 1];
    snprintf(padded, sizeof padded, "%-32s", label);
    if (hsm->C_GetTokenInfo(slots[i], &info) == CKR_OK && memcmp(info.label, padded, sizeof info.label) == 0) {
      *slot = slots[i];
      return CKR_OK;
    }
  }
  return rv != CKR_OK ? rv : CKR_TOKEN_NOT_PRESENT;
}

/* All objects with this CKA_ID; returns how many there were. */
static CK_ULONG forget_one(CK_SESSION_HANDLE session, const char *id) {
  CK_ATTRIBUTE template = {CKA_ID, (void *)id, strlen(id)};
  CK_OBJECT_HANDLE found[OBJECTS_MAX];
  CK_ULONG count = 0;
  must("C_FindObjectsInit", hsm->C_FindObjectsInit(session, &template, 1));
  must("C_FindObjects", hsm->C_FindObjects(session, found, OBJECTS_MAX, &count));
  must("C_FindObjectsFinal", hsm->C_FindObjectsFinal(session));
  for (CK_ULONG i = 0; i < count; i++) {
    must("C_DestroyObject", hsm->C_DestroyObject(session, found[i]));
  }
  return count;
}

int forget(int count, char **arguments) {
  CK_SLOT_ID slot;
  CK_SESSION_HANDLE session;
  if (count < 2) {
    fprintf(stderr, "caller: forget LABEL ID…\n");
    return 2;
  }
  must("C_Initialize", initialize());
  must("the token", find_slot(arguments[0], &slot));
  must("C_OpenSession", hsm->C_OpenSession(slot, CKF_SERIAL_SESSION | CKF_RW_SESSION, NULL, NULL, &session));
  must("C_Login", login(session));
  for (int i = 1; i < count; i++) {
    printf("%s %lu\n", arguments[i], forget_one(session, arguments[i]));
  }
  must("C_Finalize", hsm->C_Finalize(NULL));
  return 0;
}
