#ifndef NETHSM_SIGN_H
#define NETHSM_SIGN_H

#include "module.h"

struct signature {
  CK_BYTE *data;
  CK_ULONG data_length;
  CK_BYTE *bytes;
  CK_ULONG *length;
};

/* To the HSM, through its queue, and back. The caller is counted in module.inside. */
CK_RV sign_over_network(CK_SESSION_HANDLE session, const struct operation *operation,
                        const struct signature *signature);
/* Ends, for the caller, an operation that did not reach the backing module. */
void sign_end_refused(CK_SESSION_HANDLE session);

#endif
