package org.sluiceca.hsm.isolate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sluiceca.hsm.HsmException;
import org.sluiceca.hsm.HsmObserver;
import org.sluiceca.hsm.Mechanism;
import org.sluiceca.hsm.isolate.Connection.LostException;
import org.sluiceca.hsm.isolate.Connection.NotSentException;
import org.sluiceca.hsm.isolate.wire.FrameReader;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.MalformedFrameException;
import org.sluiceca.hsm.isolate.wire.Operation;
import org.sluiceca.hsm.pkcs11.Attribute;
import org.sluiceca.hsm.pkcs11.Ckr;
import org.sluiceca.hsm.pkcs11.Cryptoki;
import org.sluiceca.hsm.pkcs11.CryptokiException;
import org.sluiceca.hsm.pkcs11.ModuleUsers;
import org.sluiceca.hsm.pkcs11.SessionHandle;
import org.sluiceca.hsm.pkcs11.WrapperCryptoki;

/**
 * A PKCS#11 library loaded into a process of its own, which may crash or be killed at any time and
 * is then replaced by {@link #reinitialise}. Its creator must close it.
 */
public final class IsolatedCryptoki implements Cryptoki, AutoCloseable {
  /*
   * Calls that a process can answer no more end with CKR_CRYPTOKI_NOT_INITIALIZED, which each
   * vendor's profile takes for a lost token: the lane is refused, and the leader of the recovery
   * calls reinitialise, after a pause that grows. What was in C_Sign may have been signed; what had not
   * been sent was not, and then the function is not called C_Sign.
   */

  private static final String ENDED = "its process has ended";

  private final ModuleSupervisor supervisor;
  private final String name;
  private final ModuleUsers users = new ModuleUsers();

  private IsolatedCryptoki(ModuleSupervisor supervisor, String name) {
    this.supervisor = supervisor;
    this.name = name;
  }

  /**
   * Starts a process for the library at this path and has it loaded there: 20 s at most.
   *
   * @param label of the token that it is for, in logs and in the list of processes
   * @param observer hears what the process prints
   * @throws HsmException.ModuleMissing when the file is missing, is no PKCS#11 library or does not
   *     initialise, or no process can be started
   */
  public static IsolatedCryptoki start(Path library, String label, HsmObserver observer) {
    return start(library, label, observer, ModuleProcess.START_MAX);
  }

  static IsolatedCryptoki start(
      Path library, String label, HsmObserver observer, Duration startMax) {
    Path file = WrapperCryptoki.file(library);
    Path path = library.toAbsolutePath().normalize();
    ModuleProcess.Order order = new ModuleProcess.Order(path, label, observer::noted, startMax);
    return new IsolatedCryptoki(new ModuleSupervisor(order), file.toString());
  }

  /** The number of the current process, for messages and tests; it may have ended. */
  public long pid() {
    return supervisor.process().pid();
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ModuleUsers users() {
    return users;
  }

  @Override
  public long[] slotsWithToken() {
    return call(Operation.SLOTS_WITH_TOKEN, null, request -> {}, FrameReader::numbers);
  }

  @Override
  public String tokenLabel(long slot) {
    return call(Operation.TOKEN_LABEL, null, request -> request.put(slot), FrameReader::text);
  }

  @Override
  public TokenInfo tokenInfo(long slot) {
    return call(
        Operation.TOKEN_INFO,
        null,
        request -> request.put(slot),
        answer -> new TokenInfo(answer.text(), answer.text(), answer.text(), answer.text()));
  }

  @Override
  public SessionHandle openSession(long slot, boolean readWrite) {
    return call(
        Operation.OPEN_SESSION,
        null,
        request -> request.put(slot).put(readWrite),
        answer -> new SessionHandle(answer.number(), answer.number()));
  }

  @Override
  public void closeSession(SessionHandle session) {
    run(Operation.CLOSE_SESSION, session, request -> {});
  }

  @Override
  public boolean isLoggedIn(SessionHandle session) {
    return call(Operation.IS_LOGGED_IN, session, request -> {}, FrameReader::bool);
  }

  @Override
  public void login(SessionHandle session, char[] pin) {
    run(Operation.LOGIN, session, request -> request.put(pin));
  }

  @Override
  public long[] findObjects(SessionHandle session, List<Attribute> template, int max) {
    return call(
        Operation.FIND_OBJECTS,
        session,
        request -> request.put(template).put((long) max),
        FrameReader::numbers);
  }

  @Override
  public Object attribute(SessionHandle session, long object, long type) {
    return call(
        Operation.ATTRIBUTE, session, request -> request.put(object).put(type), FrameReader::value);
  }

  @Override
  public void generateKeyPair(
      SessionHandle session, long ckm, List<Attribute> publicKey, List<Attribute> privateKey) {
    run(
        Operation.GENERATE_KEY_PAIR,
        session,
        request -> request.put(ckm).put(publicKey).put(privateKey));
  }

  @Override
  public void signInit(SessionHandle session, Mechanism mechanism, long key) {
    run(Operation.SIGN_INIT, session, request -> request.put(mechanism.name()).put(key));
  }

  @Override
  public byte[] sign(SessionHandle session, byte[] data) {
    return call(Operation.SIGN, session, request -> request.put(data), FrameReader::bytes);
  }

  @Override
  public byte[] sign(SessionHandle session, Mechanism mechanism, long key, byte[] data) {
    return call(
        Operation.SIGN_WHOLE,
        session,
        request -> request.put(mechanism.name()).put(key).put(data),
        FrameReader::bytes);
  }

  @Override
  public long generation() {
    return supervisor.generation();
  }

  @Override
  public boolean reinitialise() {
    supervisor.renew();
    return true;
  }

  /**
   * Ends the process: it may finalise the module for a second, and is killed after three. Calls in
   * flight fail.
   */
  @Override
  public void close() {
    supervisor.close();
  }

  private interface Decoder<T> {
    T read(FrameReader answer) throws MalformedFrameException;
  }

  private void run(Operation operation, SessionHandle session, Consumer<FrameWriter> fields) {
    boolean _ = call(operation, session, fields, answer -> true);
  }

  private <T> T call(
      Operation operation,
      @Nullable SessionHandle session,
      Consumer<FrameWriter> fields,
      Decoder<T> decoder) {
    ModuleProcess process = supervisor.process();
    Connection connection = process.connection();
    long number = connection.nextNumber();
    FrameWriter request = FrameWriter.request(operation, number);
    if (session != null) {
      if (session.generation() != supervisor.generation()) {
        throw new CryptokiException(
            operation.function() + " (stale session)", Ckr.SESSION_HANDLE_INVALID);
      }
      request.put(session.generation()).put(session.value());
    }
    try {
      fields.accept(request);
      FrameReader answer = connection.call(number, request).result();
      T result = decoder.read(answer);
      answer.end();
      return result;
    } catch (NotSentException e) {
      throw new CryptokiException(
          operation.function() + " (not sent)", Ckr.CRYPTOKI_NOT_INITIALIZED, ENDED);
    } catch (LostException e) {
      throw new CryptokiException(operation.function(), Ckr.CRYPTOKI_NOT_INITIALIZED, ENDED);
    } catch (MalformedFrameException e) {
      connection.end();
      throw new CryptokiException(
          operation.function(), Ckr.CRYPTOKI_NOT_INITIALIZED, "its answer: " + e.getMessage());
    } finally {
      // It may hold a PIN.
      request.wipe();
    }
  }
}
