package org.sluiceca.hsm.isolate.child;

import java.util.Arrays;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.isolate.wire.Answer.Status;
import org.sluiceca.hsm.isolate.wire.FrameReader;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.MalformedFrameException;
import org.sluiceca.hsm.isolate.wire.Operation;
import org.sluiceca.hsm.isolate.wire.Wire;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.SessionHandle;

/**
 * Makes one call of the module of each request. Thread-safe; a request takes as long as its call.
 *
 * <p>Generations: the node counts on from the lives of earlier processes, so that no handle of one
 * of them is ever taken for one of this. The difference is added here and nowhere else.
 */
public final class Dispatcher {
  private final Cryptoki module;
  private final long earlierLives;

  /** Calls this module; generations begin after {@code earlierLives}. */
  public Dispatcher(Cryptoki module, long earlierLives) {
    this.module = module;
    this.earlierLives = earlierLives;
  }

  /** Returns the message to the node once the module is loaded: its generation. */
  public FrameWriter ready() {
    return FrameWriter.answer(Status.OK, Wire.READY).put(generation());
  }

  /**
   * The answer to a request, whatever the module does short of crashing or hanging.
   *
   * @throws MalformedFrameException when it is no request of this version: the module is not called
   */
  // The edge of the protocol: what the module's wrapper throws is an answer, not this process' end.
  @SuppressWarnings("CatchingUnchecked")
  public FrameWriter answer(byte[] payload) throws MalformedFrameException {
    FrameReader request = FrameReader.of(payload);
    Operation operation = request.operation();
    long number = request.number();
    try {
      return call(operation, request, FrameWriter.answer(Status.OK, number));
    } catch (CryptokiException e) {
      return FrameWriter.answer(Status.CKR, number).put(e.function()).put(e.ckr().code());
    } catch (RuntimeException | Error e) {
      return FrameWriter.answer(Status.FAILED, number).put(operation + ": " + e);
    }
  }

  private FrameWriter call(Operation operation, FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    return switch (operation) {
      case SLOTS_WITH_TOKEN -> {
        request.end();
        yield answer.put(module.slotsWithToken());
      }
      case TOKEN_LABEL -> {
        long slot = request.number();
        request.end();
        yield answer.put(module.tokenLabel(slot));
      }
      case TOKEN_INFO -> tokenInfo(request, answer);
      case OPEN_SESSION -> openSession(request, answer);
      case CLOSE_SESSION -> {
        SessionHandle session = session(request);
        request.end();
        module.closeSession(session);
        yield answer;
      }
      case IS_LOGGED_IN -> {
        SessionHandle session = session(request);
        request.end();
        yield answer.put(module.isLoggedIn(session));
      }
      case LOGIN -> login(request, answer);
      case FIND_OBJECTS -> findObjects(request, answer);
      case ATTRIBUTE -> attribute(request, answer);
      case GENERATE_KEY_PAIR -> generateKeyPair(request, answer);
      case SIGN_INIT -> signInit(request, answer);
      case SIGN -> {
        SessionHandle session = session(request);
        byte[] data = request.bytes();
        request.end();
        yield answer.put(module.sign(session, data));
      }
      case SIGN_WHOLE -> signWhole(request, answer);
      case REINITIALISE -> {
        request.end();
        boolean isFresh = module.reinitialise();
        yield answer.put(isFresh).put(generation());
      }
    };
  }

  private FrameWriter tokenInfo(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    long slot = request.number();
    request.end();
    Cryptoki.TokenInfo info = module.tokenInfo(slot);
    return answer
        .put(info.label())
        .put(info.manufacturer())
        .put(info.model())
        .put(info.serialNumber());
  }

  private FrameWriter openSession(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    long slot = request.number();
    boolean readWrite = request.bool();
    request.end();
    SessionHandle opened = module.openSession(slot, readWrite);
    return answer.put(opened.generation() + earlierLives).put(opened.value());
  }

  private FrameWriter login(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    SessionHandle session = session(request);
    char[] pin = request.characters();
    try {
      request.end();
      module.login(session, pin);
      return answer;
    } finally {
      Arrays.fill(pin, '\0');
      request.wipe();
    }
  }

  private FrameWriter findObjects(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    SessionHandle session = session(request);
    var template = request.template();
    long max = request.number();
    request.end();
    if (max < 1 || max > Wire.TEMPLATE_MAX) {
      throw new MalformedFrameException("a search for " + max + " objects");
    }
    return answer.put(module.findObjects(session, template, (int) max));
  }

  private FrameWriter attribute(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    SessionHandle session = session(request);
    long object = request.number();
    long type = request.number();
    request.end();
    return answer.putValue(module.attribute(session, object, type));
  }

  private FrameWriter generateKeyPair(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    SessionHandle session = session(request);
    long ckm = request.number();
    var publicKey = request.template();
    var privateKey = request.template();
    request.end();
    module.generateKeyPair(session, ckm, publicKey, privateKey);
    return answer;
  }

  private FrameWriter signInit(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    SessionHandle session = session(request);
    Mechanism mechanism = mechanism(request);
    long key = request.number();
    request.end();
    module.signInit(session, mechanism, key);
    return answer;
  }

  private FrameWriter signWhole(FrameReader request, FrameWriter answer)
      throws MalformedFrameException {
    SessionHandle session = session(request);
    Mechanism mechanism = mechanism(request);
    long key = request.number();
    byte[] data = request.bytes();
    request.end();
    return answer.put(module.sign(session, mechanism, key, data));
  }

  private SessionHandle session(FrameReader request) throws MalformedFrameException {
    return new SessionHandle(request.number() - earlierLives, request.number());
  }

  private long generation() {
    return module.generation() + earlierLives;
  }

  /** By name: another order of the constants must never become another mechanism. */
  private static Mechanism mechanism(FrameReader request) throws MalformedFrameException {
    String name = request.text();
    for (Mechanism mechanism : Mechanism.values()) {
      if (mechanism.name().equals(name)) {
        return mechanism;
      }
    }
    throw new MalformedFrameException("no such mechanism");
  }
}
