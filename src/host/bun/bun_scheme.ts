/** What stands in for one `bun:` module: the node: module to use, and every name Bun exports from it. */
interface BunSchemeModule {
  use: string;
  exports: string;
}

/**
 * The public `bun:` modules of Bun 1.4. All of them fail to load here with a reason (specification 2.8); the export
 * names are needed so that `import { Database } from "bun:sqlite"` reaches that reason instead of a link error.
 */
export const BUN_SCHEME_MODULES: Readonly<Record<string, BunSchemeModule>> = {
  "bun:sqlite": { use: "node:sqlite", exports: "Database SQLiteError Statement constants native" },
  "bun:ffi": {
    use: "node:child_process",
    exports:
      "CFunction CString FFIType JSCallback cc dlopen linkSymbols native ptr read suffix toArrayBuffer " +
      "toBuffer viewSource",
  },
  "bun:test": {
    use: "node:test",
    exports:
      "afterAll afterEach beforeAll beforeEach describe expect expectTypeOf it jest mock onTestFinished " +
      "setDefaultTimeout setSystemTime spyOn test vi xdescribe xit xtest",
  },
  "bun:jsc": {
    use: "node:v8",
    exports: "bytecodeOrderStats callerSourceOrigin codeCoverageForFile describe describeArray deserialize " +
      "drainMicrotasks edenGC estimateShallowMemoryUsageOf fullGC gcAndSweep generateHeapSnapshotForDebugging " +
      "getProtectedObjects getRandomSeed heapSize heapStats isRope jscDescribe jscDescribeArray memoryUsage noFTL " +
      "noInline noOSRExitFuzzing numberOfDFGCompiles optimizeNextInvocation percentAvailableMemoryInUse profile " +
      "releaseWeakRefs reoptimizationRetryCount samplingProfilerStackTraces serialize setRandomSeed setTimeZone " +
      "setTimezone startRemoteDebugger startSamplingProfiler totalCompileTime",
  },
  "bun:bundle": { use: "node:process", exports: "feature" },
  "bun:wrap": { use: "node:module", exports: "" },
  "bun:main": { use: "node:module", exports: "" },
  "bun:internal-for-testing": { use: "node:test", exports: "" },
};

/** The sentence with which an import of a `bun:` module fails, such as `bun:sqlite`. */
export function bunSchemeMessage(specifier: string): string {
  const use = BUN_SCHEME_MODULES[specifier]?.use ?? "a node: module";
  return `${specifier} is not available in this runtime: use ${use}`;
}
