/* A small PKCS#11 application for the tests: one module, one token, an RSA and an EC key. */
#ifndef CALLER_H
#define CALLER_H

#include <p11-kit/pkcs11.h>
#include <stdbool.h>
#include <stdint.h>

#define DATA_BYTES 32

struct key {
  CK_MECHANISM_TYPE mechanism;
  CK_OBJECT_HANDLE private_key, public_key;
};

extern CK_FUNCTION_LIST *hsm; /* set once by main, before any thread */

int64_t clock_nanos(void);
/* Ends the program with a line when the answer is not CKR_OK. */
void must(const char *what, CK_RV rv);
const char *name_of(CK_RV rv); /* in a buffer of the thread's */

CK_RV initialize(void);
/* C_Initialize, a session, C_Login. */
void begin(CK_SESSION_HANDLE *session);
CK_RV open_session(CK_SESSION_HANDLE *session);
CK_RV login(CK_SESSION_HANDLE session);
CK_RV find_key(CK_SESSION_HANDLE session, const char *label, struct key *key);
CK_RV sign(CK_SESSION_HANDLE session, const struct key *key, CK_BYTE *data, CK_BYTE *signature, CK_ULONG *length);
CK_RV verify(CK_SESSION_HANDLE session, const struct key *key, CK_BYTE *data, CK_BYTE *signature, CK_ULONG length);

/* load.c: each prints one line KEY=VALUE… and returns an exit code. */
int load(int count, char **arguments);
int burst(int count, char **arguments);
/* forget.c */
int forget(int count, char **arguments);

#endif
