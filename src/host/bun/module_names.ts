/**
 * Every name of Bun's module as Bun 1.4 exports it (`Object.keys(await import("bun"))`, without `default`).
 *
 * `src/host/bun/import_map.json` is generated from this list, so `import { anyName } from "bun"` always links.
 */
export const BUN_MODULE_NAMES: readonly string[] =
  ("$ Archive ArrayBufferSink Cookie CookieMap CryptoHasher FFI FetchSession FileSystemRouter Glob Image MD4 MD5 " +
    "ModuleGraph SHA1 SHA224 SHA256 SHA384 SHA512 SHA512_256 JSONC JSON5 JSONL markdown TOML XML YAML Transpiler " +
    "embeddedFiles S3Client s3 CSRF allocUnsafe argv build concatArrayBuffers connect cron color deepEquals " +
    "deepMatch deflateSync dns enableANSIColors env escapeHTML fetch file fileURLToPath gc generateHeapSnapshot " +
    "gunzipSync gzipSync hash indexOfLine inflateSync inspect isMainThread isStandaloneExecutable listen udpSocket " +
    "main mmap nanoseconds openInEditor password pathToFileURL peek plugin randomUUIDv7 randomUUIDv5 " +
    "readableStreamToArray readableStreamToArrayBuffer readableStreamToBytes readableStreamToBlob " +
    "readableStreamToFormData readableStreamToJSON readableStreamToText resolve resolveSync revision semver sql " +
    "postgres SQL serve sha shrink sliceAnsi sleep sleepSync spawn spawnSync stderr stdin stdout stringWidth " +
    "stripANSI wrapAnsi Terminal unsafe version version_with_sha WebView which RedisClient redis secrets write " +
    "zstdCompressSync zstdDecompressSync zstdCompress zstdDecompress").split(" ");
