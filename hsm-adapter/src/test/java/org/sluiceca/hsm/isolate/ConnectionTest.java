package org.sluiceca.hsm.isolate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sluiceca.hsm.isolate.Connection.LostException;
import org.sluiceca.hsm.isolate.Connection.NotSentException;
import org.sluiceca.hsm.isolate.wire.Answer;
import org.sluiceca.hsm.isolate.wire.Answer.Status;
import org.sluiceca.hsm.isolate.wire.FrameChannel;
import org.sluiceca.hsm.isolate.wire.FrameReader;
import org.sluiceca.hsm.isolate.wire.FrameWriter;
import org.sluiceca.hsm.isolate.wire.Operation;
import org.sluiceca.hsm.testkit.Await;

/** Many calls over one socket, against a scripted peer. */
@Timeout(180)
class ConnectionTest {
  private static final int CALLERS = 16;

  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @SuppressWarnings("NullAway.Init")
  private FrameChannel peer;

  @SuppressWarnings("NullAway.Init")
  private Connection connection;

  private final AtomicInteger ends = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @BeforeEach
  void connect() throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      ServerSocketChannel bound = server.bind(address);
      SocketChannel client = SocketChannel.open(address);
      peer = new FrameChannel(bound.accept());
      connection = new Connection(new FrameChannel(client), ends::incrementAndGet);
    }
  }

  @AfterEach
  void close() throws IOException {
    connection.end();
    peer.close();
    threads.close();
  }

  @Test
  void call_answersInAnyOrder_eachCallerGetsItsOwn() throws Exception {
    Future<?> answering = threads.submit(() -> answer(false));

    assertThat(wrongAnswers(2_000)).isZero();

    peer.close();
    assertThatThrownBy(answering::get).hasRootCauseInstanceOf(IOException.class);
  }

  /** The check above can fail: a peer that mixes up two numbers. */
  @Test
  void call_peerMixesUpAnswers_isNoticed() throws Exception {
    Future<?> answering = threads.submit(() -> answer(true));

    assertThat(wrongAnswers(50)).isPositive();

    peer.close();
    assertThatThrownBy(answering::get).hasRootCauseInstanceOf(IOException.class);
  }

  @Test
  void call_peerHangsUpWithCallsInFlight_allAreLostAndLaterOnesNotSent() throws Exception {
    List<Future<Object>> calls = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      calls.add(threads.submit(() -> outcome(connection.nextNumber())));
    }
    for (int i = 0; i < CALLERS; i++) {
      byte[] _ = peer.read();
    }
    peer.close();

    for (Future<Object> call : calls) {
      assertThat(call.get()).isInstanceOf(LostException.class);
    }
    assertThat(outcome(connection.nextNumber())).isInstanceOf(NotSentException.class);
    assertThat(connection.isEnded()).isTrue();
    assertThat(connection.inFlight()).isZero();
    assertThat(ends.get()).isPositive();
  }

  @Test
  void end_byAnotherThread_callsAreLost() throws Exception {
    Future<Object> call = threads.submit(() -> outcome(connection.nextNumber()));
    byte[] _ = peer.read();

    connection.end();

    assertThat(call.get()).isInstanceOf(LostException.class);
  }

  @Test
  void call_answerToNothing_connectionEnds() throws Exception {
    Future<Object> call = threads.submit(() -> outcome(connection.nextNumber()));
    byte[] _ = peer.read();

    peer.write(FrameWriter.answer(Status.OK, 4711));

    assertThat(call.get()).isInstanceOf(LostException.class);
    assertThat(connection.isEnded()).isTrue();
  }

  @Test
  void call_waitingCallerIsInterrupted_waitsOn() throws Exception {
    Future<Object> reader = threads.submit(() -> outcome(1));
    byte[] first = peer.read();
    List<Thread> waiting = Collections.synchronizedList(new ArrayList<>());
    Future<Boolean> interrupted =
        threads.submit(
            () -> {
              waiting.add(Thread.currentThread());
              return outcome(2) instanceof Answer && Thread.interrupted();
            });
    byte[] second = peer.read();
    Await.until("it waits", () -> waiting.getFirst().getState() == Thread.State.WAITING);

    waiting.getFirst().interrupt();
    peer.write(echo(first));
    peer.write(echo(second));

    assertThat(reader.get()).isInstanceOf(Answer.class);
    assertThat(interrupted.get()).isTrue();
  }

  private Object outcome(long number) {
    try {
      return connection.call(number, FrameWriter.request(Operation.SIGN, number).put(number));
    } catch (NotSentException | LostException e) {
      return e;
    }
  }

  private int wrongAnswers(int callsEach) throws Exception {
    AtomicInteger wrong = new AtomicInteger();
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          threads.submit(
              () -> {
                for (int call = 0; call < callsEach; call++) {
                  long number = connection.nextNumber();
                  Answer answer =
                      connection.call(
                          number, FrameWriter.request(Operation.SIGN, number).put(number));
                  if (answer.result().number() != number) {
                    wrong.incrementAndGet();
                  }
                }
                return wrong;
              }));
    }
    for (Future<?> caller : callers) {
      var _ = caller.get();
    }
    return wrong.get();
  }

  /** Answers each request on a thread of its own, so in any order. */
  private Object answer(boolean isMixedUp) throws IOException {
    byte[] before = peer.read();
    send(echo(before));
    while (true) {
      byte[] request = peer.read();
      FrameWriter answer = echo(request, isMixedUp ? before : request);
      before = request;
      threads.execute(() -> send(answer));
    }
  }

  private synchronized void send(FrameWriter answer) {
    try {
      peer.write(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static FrameWriter echo(byte[] request) throws IOException {
    return echo(request, request);
  }

  /** The answer to one request with the content of another. */
  private static FrameWriter echo(byte[] request, byte[] content) throws IOException {
    return FrameWriter.answer(Status.OK, fields(request)[0]).put(fields(content)[1]);
  }

  private static long[] fields(byte[] request) throws IOException {
    FrameReader reader = FrameReader.of(request);
    assertThat(reader.operation()).isEqualTo(Operation.SIGN);
    return new long[] {reader.number(), reader.number()};
  }
}
