package org.sluiceca.api.http.connector.pooled;

import java.nio.ByteBuffer;
import org.apache.tomcat.util.net.SocketBufferHandler;

/** The application's buffers of a connection, which are another's while it rests. */
final class LentBuffers extends SocketBufferHandler {

  /** Never grows: what is done to a connection at rest has no buffers to be done with. */
  private static final SocketBufferHandler NONE =
      new SocketBufferHandler(0, 0, false) {
        @Override
        public void expand(int newSize) {
          // Shared by all connections at rest.
        }
      };

  // Set under the lock of the connection's wrapper; the poller reads it to see what is unwritten.
  private volatile SocketBufferHandler lent = NONE;

  LentBuffers() {
    super(0, 0, false);
  }

  void lend(SocketBufferHandler buffers) {
    lent = buffers;
  }

  void takeBack() {
    lent = NONE;
  }

  boolean isEmpty() {
    return lent.isReadBufferEmpty() && lent.isWriteBufferEmpty();
  }

  @Override
  public void configureReadBufferForWrite() {
    lent.configureReadBufferForWrite();
  }

  @Override
  public void configureReadBufferForRead() {
    lent.configureReadBufferForRead();
  }

  @Override
  public ByteBuffer getReadBuffer() {
    return lent.getReadBuffer();
  }

  @Override
  public boolean isReadBufferEmpty() {
    return lent.isReadBufferEmpty();
  }

  @Override
  public void unReadReadBuffer(ByteBuffer returnedData) {
    lent.unReadReadBuffer(returnedData);
  }

  @Override
  public void configureWriteBufferForWrite() {
    lent.configureWriteBufferForWrite();
  }

  @Override
  public void configureWriteBufferForRead() {
    lent.configureWriteBufferForRead();
  }

  @Override
  public boolean isWriteBufferWritable() {
    return lent.isWriteBufferWritable();
  }

  @Override
  public ByteBuffer getWriteBuffer() {
    return lent.getWriteBuffer();
  }

  @Override
  public boolean isWriteBufferEmpty() {
    return lent.isWriteBufferEmpty();
  }

  @Override
  public void reset() {
    lent.reset();
  }

  @Override
  public void expand(int newSize) {
    lent.expand(newSize);
  }

  @Override
  public void free() {
    // Heap buffers: nothing to free.
  }
}
