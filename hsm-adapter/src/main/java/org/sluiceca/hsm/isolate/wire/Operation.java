package org.sluiceca.hsm.isolate.wire;

/** What a request asks for: the calls of {@code Cryptoki}, one byte each. */
public enum Operation {
  SLOTS_WITH_TOKEN(1, "C_GetSlotList"),
  TOKEN_LABEL(2, "C_GetTokenInfo"),
  OPEN_SESSION(3, "C_OpenSession"),
  CLOSE_SESSION(4, "C_CloseSession"),
  IS_LOGGED_IN(5, "C_GetSessionInfo"),
  LOGIN(6, "C_Login"),
  FIND_OBJECTS(7, "C_FindObjects"),
  ATTRIBUTE(8, "C_GetAttributeValue"),
  GENERATE_KEY_PAIR(9, "C_GenerateKeyPair"),
  SIGN_INIT(10, "C_SignInit"),
  /** C_Sign alone. */
  SIGN(11, "C_Sign"),
  /** C_SignInit and C_Sign in one request: a signature is one way there and one back. */
  SIGN_WHOLE(12, "C_Sign"),
  /** C_Finalize and C_Initialize in the same process. */
  REINITIALISE(13, "C_Initialize"),
  /** All that distinguishes a token. */
  TOKEN_INFO(14, "C_GetTokenInfo");

  private final int code;
  private final String function;

  Operation(int code, String function) {
    this.code = code;
    this.function = function;
  }

  int code() {
    return code;
  }

  /**
   * The function that may have been entered when no answer comes, in PKCS#11's words: of several
   * the one that matters most.
   */
  public String function() {
    return function;
  }

  static Operation of(int code) throws MalformedFrameException {
    for (Operation operation : values()) {
      if (operation.code == code) {
        return operation;
      }
    }
    throw new MalformedFrameException("no such operation: " + code);
  }
}
