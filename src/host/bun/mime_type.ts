/** Types Bun gives a charset. */
const WITH_CHARSET = ["text/html", "text/css", "text/javascript", "text/plain", "application/json"];

/** `type extension…`, one type a line, as `Bun.file(path).type` of Bun 1.4 answers. */
const TYPES = `
text/html html htm
text/css css
text/javascript js mjs cjs jsx ts mts cts tsx
application/json json map
application/json5 json5
application/xml xml
text/plain txt text log ini conf
text/markdown md markdown
text/csv csv
text/tab-separated-values tsv
text/yaml yaml yml
application/toml toml
image/svg+xml svg
image/png png
image/jpeg jpg jpeg
image/gif gif
image/webp webp
image/avif avif
image/apng apng
image/heic heic
image/heif heif
image/x-icon ico
image/x-ms-bmp bmp
image/tiff tiff tif
image/vnd.adobe.photoshop psd
audio/mpeg mp3
audio/x-wav wav
audio/ogg ogg oga opus
audio/x-flac flac
audio/x-aac aac
audio/x-m4a m4a
video/mp4 mp4
video/x-m4v m4v
video/webm webm
video/quicktime mov
video/x-msvideo avi
video/x-matroska mkv
video/mpeg mpeg
application/pdf pdf
application/zip zip
application/gzip gz
application/x-tar tar
application/x-bzip2 bz2
application/x-xz xz
application/x-7z-compressed 7z
application/x-rar-compressed rar
application/wasm wasm
font/woff woff
font/woff2 woff2
font/ttf ttf
font/otf otf
application/vnd.ms-fontobject eot
application/x-sh sh
text/x-c c h cpp
text/x-java-source java
application/x-httpd-php php
application/x-sql sql
application/postscript ai eps
application/msword doc
application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
application/vnd.ms-excel xls
application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
application/vnd.ms-powerpoint ppt
application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
application/vnd.oasis.opendocument.text odt
text/rtf rtf
application/epub+zip epub
text/calendar ics
text/x-vcard vcf
message/rfc822 eml
application/manifest+json webmanifest
application/atom+xml atom
application/rss+xml rss
application/ld+json jsonld
application/geo+json geojson
`;

let byExtension: Map<string, string> | undefined;

/** The MIME type Bun gives a file by its extension; `application/octet-stream` for an unknown one. */
export function mimeTypeOfPath(path: string): string {
  byExtension ??= new Map(
    TYPES.trim().split("\n").flatMap((line) => {
      const [type, ...extensions] = line.split(" ");
      return extensions.map((extension): [string, string] => [extension, normalizeMimeType(type!)]);
    }),
  );
  const extension = /\.([^./]+)\/*$/.exec(path)?.[1]?.toLowerCase();
  return (extension === undefined ? undefined : byExtension.get(extension)) ?? "application/octet-stream";
}

/** A MIME type as Bun shows it: lower case, with `;charset=utf-8` for the common text types. */
export function normalizeMimeType(type: string): string {
  return WITH_CHARSET.includes(type) ? `${type};charset=utf-8` : type.toLowerCase();
}
