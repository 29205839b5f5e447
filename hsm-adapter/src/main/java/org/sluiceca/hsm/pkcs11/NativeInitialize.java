package org.sluiceca.hsm.pkcs11;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * C_Initialize for a library that this process has loaded before: the JDK's wrapper calls it only
 * once per path. Layouts are those of PKCS#11 on 64-bit Unix, where CK_ULONG is a C long.
 */
// Restricted methods: the program already grants native access, to call the token at all.
@SuppressWarnings("restricted")
final class NativeInitialize {
  /** CK_FUNCTION_LIST: CK_VERSION padded to a pointer's alignment, then C_Initialize. */
  private static final long INITIALIZE_OFFSET = 8;

  /** CK_C_INITIALIZE_ARGS: four mutex callbacks, flags, a reserved pointer. */
  private static final long ARGUMENTS_SIZE = 48;

  private static final long FLAGS_OFFSET = 32;
  private static final long CKF_OS_LOCKING_OK = 2;

  private static final FunctionDescriptor TAKES_POINTER = FunctionDescriptor.of(JAVA_LONG, ADDRESS);

  private NativeInitialize() {}

  /** Calls it; the caller makes sure that the library is finalised and quiet. */
  static void call(Path library) {
    try (Arena arena = Arena.ofConfined()) {
      // The wrapper holds the library open; this look-up only adds a reference for a moment.
      MemorySegment getFunctionList =
          SymbolLookup.libraryLookup(library, arena).findOrThrow("C_GetFunctionList");
      MemorySegment out = arena.allocate(ADDRESS);
      invoke("C_GetFunctionList", getFunctionList, out);
      MemorySegment list = out.get(ADDRESS, 0).reinterpret(INITIALIZE_OFFSET + ADDRESS.byteSize());
      MemorySegment arguments = arena.allocate(ARGUMENTS_SIZE, ADDRESS.byteAlignment());
      arguments.set(JAVA_LONG, FLAGS_OFFSET, CKF_OS_LOCKING_OK);
      invoke("C_Initialize", list.get(ADDRESS, INITIALIZE_OFFSET), arguments);
    }
  }

  // MethodHandle.invokeExact declares Throwable; the native function throws nothing.
  private static void invoke(String name, MemorySegment function, MemorySegment argument) {
    MethodHandle handle = Linker.nativeLinker().downcallHandle(function, TAKES_POINTER);
    long code;
    try {
      code = (long) handle.invokeExact(argument);
    } catch (Throwable e) {
      throw new IllegalStateException(name + " could not be called", e);
    }
    if (code != 0) {
      throw new CryptokiException(name, new Ckr(code));
    }
  }
}
