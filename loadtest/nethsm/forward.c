/* The functions that only pass through, and the list of all. */
#include "module.h"

typedef CK_SESSION_HANDLE SESSION;
typedef CK_OBJECT_HANDLE OBJECT;
typedef CK_BYTE *BYTES;
typedef CK_ULONG LENGTH;

/* A function whose first parameter is `session`; in ARGUMENTS it is `backing`. */
#define FORWARD(name, parameters, arguments)            \
  CK_RV name parameters {                               \
    CK_SESSION_HANDLE backing;                          \
    CK_RV rv = session_enter(session, &backing);        \
    if (rv == CKR_OK) {                                 \
      rv = module.backing->name arguments;              \
      session_leave();                                  \
    }                                                   \
    return rv;                                          \
  }

/* A function of a slot, which is empty while the token is removed. */
#define FORWARD_SLOT(name, parameters, arguments)                                              \
  CK_RV name parameters {                                                                      \
    CK_RV rv = module_enter();                                                                 \
    if (rv == CKR_OK) {                                                                        \
      rv = module_is_removed() ? CKR_TOKEN_NOT_PRESENT : module.backing->name arguments;       \
      module_leave();                                                                          \
    }                                                                                          \
    return rv;                                                                                 \
  }

#define IN_OUT(name)                                                                           \
  FORWARD(name, (SESSION session, BYTES in, LENGTH in_length, BYTES out, LENGTH *out_length),  \
          (backing, in, in_length, out, out_length))
#define IN(name) FORWARD(name, (SESSION session, BYTES in, LENGTH in_length), (backing, in, in_length))
#define OUT(name) FORWARD(name, (SESSION session, BYTES out, LENGTH *out_length), (backing, out, out_length))
#define ONLY(name) FORWARD(name, (SESSION session), (backing))
#define INIT(name)                                                            \
  FORWARD(name, (SESSION session, CK_MECHANISM *mechanism, OBJECT key), (backing, mechanism, key))
#define TEMPLATE(name)                                                                         \
  FORWARD(name, (SESSION session, OBJECT object, CK_ATTRIBUTE *template, LENGTH count),        \
          (backing, object, template, count))

FORWARD_SLOT(C_GetMechanismList, (CK_SLOT_ID slot, CK_MECHANISM_TYPE *list, LENGTH *count), (slot, list, count))
FORWARD_SLOT(C_GetMechanismInfo, (CK_SLOT_ID slot, CK_MECHANISM_TYPE type, CK_MECHANISM_INFO *info), (slot, type, info))
FORWARD_SLOT(C_InitToken, (CK_SLOT_ID slot, BYTES pin, LENGTH length, BYTES label), (slot, pin, length, label))
IN(C_InitPIN)
FORWARD(C_SetPIN, (SESSION session, BYTES old, LENGTH old_length, BYTES new, LENGTH new_length),
        (backing, old, old_length, new, new_length))
FORWARD(C_GetSessionInfo, (SESSION session, CK_SESSION_INFO *info), (backing, info))
OUT(C_GetOperationState)
FORWARD(C_SetOperationState, (SESSION session, BYTES state, LENGTH length, OBJECT encryption, OBJECT authentication),
        (backing, state, length, encryption, authentication))
FORWARD(C_Login, (SESSION session, CK_USER_TYPE user, BYTES pin, LENGTH length), (backing, user, pin, length))
FORWARD(C_CreateObject, (SESSION session, CK_ATTRIBUTE *template, LENGTH count, OBJECT *object),
        (backing, template, count, object))
FORWARD(C_CopyObject, (SESSION session, OBJECT object, CK_ATTRIBUTE *template, LENGTH count, OBJECT *copy),
        (backing, object, template, count, copy))
FORWARD(C_GetObjectSize, (SESSION session, OBJECT object, LENGTH *size), (backing, object, size))
TEMPLATE(C_GetAttributeValue)
TEMPLATE(C_SetAttributeValue)
FORWARD(C_FindObjectsInit, (SESSION session, CK_ATTRIBUTE *template, LENGTH count), (backing, template, count))
FORWARD(C_FindObjects, (SESSION session, OBJECT *objects, LENGTH most, LENGTH *count), (backing, objects, most, count))
ONLY(C_FindObjectsFinal)
INIT(C_EncryptInit)
IN_OUT(C_Encrypt)
IN_OUT(C_EncryptUpdate)
OUT(C_EncryptFinal)
INIT(C_DecryptInit)
IN_OUT(C_Decrypt)
IN_OUT(C_DecryptUpdate)
OUT(C_DecryptFinal)
FORWARD(C_DigestInit, (SESSION session, CK_MECHANISM *mechanism), (backing, mechanism))
IN_OUT(C_Digest)
IN(C_DigestUpdate)
FORWARD(C_DigestKey, (SESSION session, OBJECT key), (backing, key))
OUT(C_DigestFinal)
INIT(C_SignRecoverInit)
IN_OUT(C_SignRecover)
INIT(C_VerifyInit)
FORWARD(C_Verify, (SESSION session, BYTES data, LENGTH length, BYTES signature, LENGTH signature_length),
        (backing, data, length, signature, signature_length))
IN(C_VerifyUpdate)
IN(C_VerifyFinal)
INIT(C_VerifyRecoverInit)
IN_OUT(C_VerifyRecover)
IN_OUT(C_DigestEncryptUpdate)
IN_OUT(C_DecryptDigestUpdate)
IN_OUT(C_SignEncryptUpdate)
IN_OUT(C_DecryptVerifyUpdate)
FORWARD(C_GenerateKey, (SESSION session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *template, LENGTH count, OBJECT *key),
        (backing, mechanism, template, count, key))
FORWARD(C_GenerateKeyPair,
        (SESSION session, CK_MECHANISM *mechanism, CK_ATTRIBUTE *public_template, LENGTH public_count,
         CK_ATTRIBUTE *private_template, LENGTH private_count, OBJECT *public_key, OBJECT *private_key),
        (backing, mechanism, public_template, public_count, private_template, private_count, public_key, private_key))
FORWARD(C_WrapKey,
        (SESSION session, CK_MECHANISM *mechanism, OBJECT wrapping, OBJECT key, BYTES wrapped, LENGTH *length),
        (backing, mechanism, wrapping, key, wrapped, length))
FORWARD(C_UnwrapKey,
        (SESSION session, CK_MECHANISM *mechanism, OBJECT wrapping, BYTES wrapped, LENGTH length,
         CK_ATTRIBUTE *template, LENGTH count, OBJECT *key),
        (backing, mechanism, wrapping, wrapped, length, template, count, key))
FORWARD(C_DeriveKey,
        (SESSION session, CK_MECHANISM *mechanism, OBJECT base, CK_ATTRIBUTE *template, LENGTH count, OBJECT *key),
        (backing, mechanism, base, template, count, key))
IN(C_SeedRandom)
FORWARD(C_GenerateRandom, (SESSION session, BYTES out, LENGTH length), (backing, out, length))
ONLY(C_GetFunctionStatus)
ONLY(C_CancelFunction)

#define LIST(name) .name = name
static CK_FUNCTION_LIST FUNCTIONS = {
    .version = {CRYPTOKI_VERSION_MAJOR, CRYPTOKI_VERSION_MINOR},
    LIST(C_Initialize), LIST(C_Finalize), LIST(C_GetInfo), LIST(C_GetFunctionList), LIST(C_GetSlotList),
    LIST(C_GetSlotInfo), LIST(C_GetTokenInfo), LIST(C_GetMechanismList), LIST(C_GetMechanismInfo),
    LIST(C_InitToken), LIST(C_InitPIN), LIST(C_SetPIN), LIST(C_OpenSession), LIST(C_CloseSession),
    LIST(C_CloseAllSessions), LIST(C_GetSessionInfo), LIST(C_GetOperationState), LIST(C_SetOperationState),
    LIST(C_Login), LIST(C_Logout), LIST(C_CreateObject), LIST(C_CopyObject), LIST(C_DestroyObject),
    LIST(C_GetObjectSize), LIST(C_GetAttributeValue), LIST(C_SetAttributeValue), LIST(C_FindObjectsInit),
    LIST(C_FindObjects), LIST(C_FindObjectsFinal), LIST(C_EncryptInit), LIST(C_Encrypt),
    LIST(C_EncryptUpdate), LIST(C_EncryptFinal), LIST(C_DecryptInit), LIST(C_Decrypt),
    LIST(C_DecryptUpdate), LIST(C_DecryptFinal), LIST(C_DigestInit), LIST(C_Digest), LIST(C_DigestUpdate),
    LIST(C_DigestKey), LIST(C_DigestFinal), LIST(C_SignInit), LIST(C_Sign), LIST(C_SignUpdate),
    LIST(C_SignFinal), LIST(C_SignRecoverInit), LIST(C_SignRecover), LIST(C_VerifyInit), LIST(C_Verify),
    LIST(C_VerifyUpdate), LIST(C_VerifyFinal), LIST(C_VerifyRecoverInit), LIST(C_VerifyRecover),
    LIST(C_DigestEncryptUpdate), LIST(C_DecryptDigestUpdate), LIST(C_SignEncryptUpdate),
    LIST(C_DecryptVerifyUpdate), LIST(C_GenerateKey), LIST(C_GenerateKeyPair), LIST(C_WrapKey),
    LIST(C_UnwrapKey), LIST(C_DeriveKey), LIST(C_SeedRandom), LIST(C_GenerateRandom),
    LIST(C_GetFunctionStatus), LIST(C_CancelFunction), LIST(C_WaitForSlotEvent),
};

/* The only symbol that is seen from outside: the others' names are those of the backing module, too. */
__attribute__((visibility("default"))) CK_RV C_GetFunctionList(CK_FUNCTION_LIST **list) {
  if (list == NULL) {
    return CKR_ARGUMENTS_BAD;
  }
  *list = &FUNCTIONS;
  return CKR_OK;
}
