// SPDX-License-Identifier: Apache-2.0
// zstd, streamed: a capture may be larger than memory.
#include "reports/ingest/raw_file.h"

#include <fmt/format.h>
#include <zstd.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <vector>

namespace reports::ingest {
namespace {

namespace fs = std::filesystem;

constexpr int level = 3;

struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }

    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

[[noreturn]] void fail(const fs::path& file, const std::string& what) {
    throw RawFileError(fmt::format("{}: {}", file.string(), what));
}

std::ifstream open(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) fail(file, "cannot be opened; check its permissions");
    return in;
}

// Hands over the file piece by piece; `last` goes with the final, maybe empty, piece.
void for_each_piece(const fs::path& file,
                    std::size_t piece_bytes,
                    const std::function<void(const ZSTD_inBuffer&, bool last)>& body) {
    std::ifstream in = open(file);
    std::vector<char> piece(piece_bytes);
    while (in) {
        in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        if (in.bad()) fail(file, "reading failed; check the disk");
        body({piece.data(), static_cast<std::size_t>(in.gcount()), 0}, in.eof());
    }
}

void write_all(std::ofstream& out, const fs::path& file, const void* bytes, std::size_t size) {
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    if (!out) fail(file, "writing failed; is the disk full? tare prune frees space");
}

void compress_to(const fs::path& from, const fs::path& to) {
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    std::vector<char> buffer(ZSTD_CStreamOutSize());
    for_each_piece(from, ZSTD_CStreamInSize(), [&](ZSTD_inBuffer in, bool last) {
        for (bool done = false; !done;) {
            ZSTD_outBuffer piece{buffer.data(), buffer.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context.get(), &piece, &in,
                                                          last ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left) != 0) fail(from, ZSTD_getErrorName(left));
            write_all(out, to, buffer.data(), piece.pos);
            done = last ? left == 0 : in.pos == in.size;
        }
    });
    out.close();
    if (!out) fail(to, "writing failed; is the disk full? tare prune frees space");
}

// Calls `sink` with each decompressed piece.
void decompress(const fs::path& file, const std::function<void(const char*, std::size_t)>& sink) {
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    std::vector<char> buffer(ZSTD_DStreamOutSize());
    std::size_t expected = 1;  // 0: a whole frame was read
    for_each_piece(file, ZSTD_DStreamInSize(), [&](ZSTD_inBuffer in, bool) {
        while (in.pos < in.size) {
            ZSTD_outBuffer piece{buffer.data(), buffer.size(), 0};
            expected = ZSTD_decompressStream(context.get(), &piece, &in);
            if (ZSTD_isError(expected) != 0) {
                fail(file, fmt::format("damaged ({}); its trial cannot be read again",
                                       ZSTD_getErrorName(expected)));
            }
            sink(buffer.data(), piece.pos);
        }
    });
    if (expected != 0) fail(file, "damaged (cut short); its trial cannot be read again");
}

}  // namespace

fs::path compressed_name(const fs::path& plain) {
    return plain.string() + ".zst";
}

bool raw_exists(const fs::path& plain) {
    return fs::exists(plain) || fs::exists(compressed_name(plain));
}

std::optional<std::string> read_raw(const fs::path& plain) {
    if (fs::exists(plain)) {
        std::ifstream in = open(plain);
        return std::string(std::istreambuf_iterator<char>(in), {});
    }
    if (!fs::exists(compressed_name(plain))) return std::nullopt;
    std::string content;
    decompress(compressed_name(plain),
               [&](const char* bytes, std::size_t size) { content.append(bytes, size); });
    return content;
}

std::optional<Compressed> compress_raw(const fs::path& plain) {
    const fs::path packed = compressed_name(plain);
    Compressed sizes;
    if (fs::exists(plain)) {
        const fs::path unfinished = packed.string() + ".tmp";
        compress_to(plain, unfinished);
        sizes.content_bytes = static_cast<std::int64_t>(fs::file_size(plain));
        fs::rename(unfinished, packed);
        fs::remove(plain);
    } else if (fs::exists(packed)) {
        decompress(packed, [&](const char*, std::size_t size) {
            sizes.content_bytes += static_cast<std::int64_t>(size);
        });
    } else {
        return std::nullopt;
    }
    sizes.stored_bytes = static_cast<std::int64_t>(fs::file_size(packed));
    return sizes;
}

PlainFile::PlainFile(const fs::path& plain) : path_(plain) {
    if (fs::exists(plain)) return;
    path_ = plain.string() + ".tmp";
    temporary_ = true;
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    decompress(compressed_name(plain),
               [&](const char* bytes, std::size_t size) { write_all(out, path_, bytes, size); });
}

PlainFile::~PlainFile() {
    std::error_code error;
    if (temporary_) fs::remove(path_, error);
}

}  // namespace reports::ingest
