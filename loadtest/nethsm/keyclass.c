/* Which class a key is of, by its attributes; remembered, as the backing module may decrypt them. */
#include <string.h>

#include "module.h"

static const struct {
  const char *parameters; /* CKA_EC_PARAMS: an OBJECT IDENTIFIER, or a PrintableString of PKCS#11 v3 */
  size_t length;
  enum key_class key_class;
  CK_ULONG signature_length;
} CURVES[] = {
    {"\x06\x08\x2a\x86\x48\xce\x3d\x03\x01\x07", 10, EC_P256, 64},
    {"\x06\x05\x2b\x81\x04\x00\x22", 7, EC_P384, 96},
    {"\x06\x05\x2b\x81\x04\x00\x23", 7, EC_P521, 132},
    {"\x06\x03\x2b\x65\x70", 5, ED25519, 64},
    {"\x06\x03\x2b\x65\x71", 5, ED448, 114},
    {"\x13\x0c" "edwards25519", 14, ED25519, 64},
    {"\x13\x0a" "edwards448", 12, ED448, 114},
};

static CK_RV read_attribute(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, CK_ATTRIBUTE *attribute) {
  return module.backing->C_GetAttributeValue(session, key, attribute, 1);
}

static void classify_rsa(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, struct cached_key *found) {
  CK_ATTRIBUTE modulus = {CKA_MODULUS, NULL, 0};
  if (read_attribute(session, key, &modulus) != CKR_OK || modulus.ulValueLen == (CK_ULONG)-1) {
    return;
  }
  CK_ULONG bytes = modulus.ulValueLen;
  found->signature_length = bytes;
  found->key_class = bytes == 256 ? RSA_2048 : bytes == 384 ? RSA_3072 : bytes == 512 ? RSA_4096 : RSA_OTHER;
}

static void classify_curve(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key, struct cached_key *found) {
  CK_BYTE value[64];
  CK_ATTRIBUTE parameters = {CKA_EC_PARAMS, value, sizeof value};
  if (read_attribute(session, key, &parameters) != CKR_OK) {
    return;
  }
  for (size_t i = 0; i < sizeof CURVES / sizeof *CURVES; i++) {
    if (parameters.ulValueLen == CURVES[i].length && memcmp(value, CURVES[i].parameters, CURVES[i].length) == 0) {
      found->key_class = CURVES[i].key_class;
      found->signature_length = CURVES[i].signature_length;
    }
  }
}

static struct cached_key classify(CK_SESSION_HANDLE session, CK_OBJECT_HANDLE key) {
  struct cached_key found = {.key = key, .key_class = OTHER};
  CK_KEY_TYPE type;
  CK_ATTRIBUTE attribute = {CKA_KEY_TYPE, &type, sizeof type};
  if (read_attribute(session, key, &attribute) == CKR_OK) {
    if (type == CKK_RSA) {
      classify_rsa(session, key, &found);
    } else if (type == CKK_EC || type == CKK_EC_EDWARDS) {
      classify_curve(session, key, &found);
    }
  }
  return found;
}

void key_find(CK_SESSION_HANDLE backing, CK_OBJECT_HANDLE key, struct cached_key *found) {
  struct cached_key *place = &module.keys[key % CACHED_KEYS];
  pthread_mutex_lock(&module.table);
  *found = *place;
  uint32_t generation = module.generation;
  pthread_mutex_unlock(&module.table);
  if (found->key == key && key != 0) {
    return;
  }
  *found = classify(backing, key);
  pthread_mutex_lock(&module.table);
  if (generation == module.generation) {
    *place = *found;
  }
  pthread_mutex_unlock(&module.table);
}

void key_forget_all(void) {
  __atomic_add_fetch(&module.generation, 1, __ATOMIC_RELEASE);
  memset(module.keys, 0, sizeof module.keys);
}
