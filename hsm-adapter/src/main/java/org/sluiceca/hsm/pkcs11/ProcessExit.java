package org.sluiceca.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * Ends a process that a PKCS#11 module runs in. {@code Runtime.halt} calls C's exit, which runs the
 * destructors of the module's library: they may hang, or crash under a call that still runs.
 */
@SuppressWarnings("restricted")
public final class ProcessExit {
  /** _exit(2), with status 0; {@code Runtime.halt} where it cannot be called. */
  // MethodHandle.invokeExact declares Throwable; the native function throws nothing.
  public void now() {
    try {
      Linker linker = Linker.nativeLinker();
      MethodHandle exit =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("_exit"), FunctionDescriptor.ofVoid(JAVA_INT));
      exit.invokeExact(0);
    } catch (Throwable e) {
      Runtime.getRuntime().halt(1);
    }
  }
}
