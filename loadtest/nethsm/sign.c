/* Signatures: what makes a module in this process a device behind a network. */
#include "sign.h"

#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "queue.h"

/* One way through the network: half the round trip, and its own jitter. */
static int64_t one_way(struct state *state) {
  double jitter = (double)state->config.jitter;
  return state->config.rtt / 2 + (jitter > 0 ? (int64_t)(jitter * state_random(state)) : 0);
}

static void crash_if_told(struct state *state, uint32_t when) {
  if (queue_take_crash(state, when)) {
    kill(getpid(), SIGKILL);
  }
}

/* Random bytes that no key made; as long as a signature. */
static CK_RV fake_signature(const struct operation *operation, const struct signature *signature) {
  CK_ULONG made = 0;
  while (made < operation->signature_length) {
    ssize_t got = getrandom(signature->bytes + made, operation->signature_length - made, 0);
    if (got <= 0) {
      return CKR_FUNCTION_FAILED;
    }
    made += (CK_ULONG)got;
  }
  *signature->length = operation->signature_length;
  return CKR_OK;
}

/* The session may be lost by now. */
static CK_RV backing_signature(CK_SESSION_HANDLE session, const struct signature *signature) {
  struct operation operation;
  CK_SESSION_HANDLE backing;
  CK_RV rv = session_enter_signing(session, &backing, &operation);
  if (rv != CKR_OK) {
    return rv;
  }
  if (operation.fake) {
    rv = fake_signature(&operation, signature);
  } else {
    rv = operation.multipart
             ? module.backing->C_SignFinal(backing, signature->bytes, signature->length)
             : module.backing->C_Sign(backing, signature->data, signature->data_length, signature->bytes,
                                      signature->length);
    /* PKCS#11 v2.40, 5.11: only this answer leaves the operation as it was. */
    if (rv != CKR_BUFFER_TOO_SMALL) {
      session_keep(session, &(struct operation){.active = false});
    }
  }
  session_leave();
  return rv;
}

/* From the arrival at the HSM until the answer leaves it. */
static CK_RV serve(struct attachment *attachment, CK_SESSION_HANDLE session, enum key_class key_class,
                   const struct signature *signature, int64_t *time) {
  struct job_ref job;
  CK_RV rv = queue_enter(attachment, key_class, *time, &job);
  if (rv != CKR_OK) {
    return rv;
  }
  rv = queue_await_service(attachment, job);
  if (rv != CKR_OK) {
    *time = now_nanos();
    return rv;
  }
  crash_if_told(attachment->state, 1);
  int64_t began = now_nanos();
  rv = backing_signature(session, signature);
  int64_t ended = now_nanos();
  crash_if_told(attachment->state, 2);
  return queue_await_end(attachment, job, ended - began, rv, time);
}

CK_RV sign_over_network(CK_SESSION_HANDLE session, const struct operation *operation,
                        const struct signature *signature) {
  /* A copy: after a C_Finalize that did not wait for this thread, the module has another. */
  struct attachment attachment = module.attachment;
  int64_t time = now_nanos() + one_way(attachment.state);
  sleep_until(time);
  CK_RV rv = serve(&attachment, session, operation->key_class, signature, &time);
  sleep_until(time + one_way(attachment.state));
  return rv;
}

void sign_end_refused(CK_SESSION_HANDLE session) {
  struct operation operation;
  CK_SESSION_HANDLE backing;
  if (session_enter_signing(session, &backing, &operation) != CKR_OK) {
    return;
  }
  if (operation.active && operation.multipart) {
    /* The backing module holds data that must not be in the next signature. */
    CK_BYTE scratch[8192];
    CK_ULONG length = sizeof scratch;
    module.backing->C_SignFinal(backing, scratch, &length);
    operation.live = false;
  }
  operation.active = false;
  session_keep(session, &operation);
  session_leave();
}
