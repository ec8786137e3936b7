// SPDX-License-Identifier: Apache-2.0
// zstd, streamed: a capture may be larger than memory.
#include "reports/ingest/raw_file.h"

#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "engine/format/sha256.h"
#include "engine/format/system_words.h"

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

[[noreturn]] void unreachable(const fs::path& file, const std::string& what) {
    throw RawFileUnreachable(fmt::format("{}: {}", file.string(), what));
}

// errno still is that of the call that failed.
[[noreturn]] void fail_to(const char* doing, const fs::path& file) {
    unreachable(file, fmt::format("cannot be {}: {}", doing, engine::format::system_words(errno)));
}

[[noreturn]] void fail_to_write(const fs::path& file) {
    fail_to("written", file);
}

// zstd's errors of its own memory say nothing about the file.
[[noreturn]] void fail_by_zstd(const fs::path& file, std::size_t result, const char* meaning) {
    if (ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation) {
        unreachable(file, "cannot be read: " + engine::format::system_words(ENOMEM));
    }
    fail(file, fmt::format("{} ({}); its trial cannot be read again", meaning,
                           ZSTD_getErrorName(result)));
}

std::ifstream open(const fs::path& file) {
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    if (!in) fail_to("opened", file);
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
        if (in.bad()) fail_to("read", file);
        body({piece.data(), static_cast<std::size_t>(in.gcount()), 0}, in.eof());
    }
}

void write_all(std::ofstream& out, const fs::path& file, const void* bytes, std::size_t size) {
    out.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(size));
    if (!out) fail_to_write(file);
}

// What a compression or decompression that fails leaves behind is removed.
class Unfinished {
  public:
    explicit Unfinished(fs::path file) : file_(std::move(file)) {}

    ~Unfinished() {
        std::error_code error;
        if (!kept_) fs::remove(file_, error);
    }

    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    const fs::path& file() const { return file_; }

    void keep() { kept_ = true; }

  private:
    fs::path file_;
    bool kept_ = false;
};

bool is_there(const fs::path& file) {
    std::error_code error;
    const auto type = fs::status(file, error).type();
    if (type == fs::file_type::none)
        unreachable(file, "cannot be looked at: " + engine::format::system_words(error.value()));
    return type != fs::file_type::not_found;
}

using engine::format::Sha256;

void add(Sha256& digest, const void* bytes, std::size_t size) {
    digest.update({static_cast<const std::byte*>(bytes), size});
}

// Returns the sha256 of what was written.
std::string compress_to(const fs::path& from, const fs::path& to) {
    const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
    if (!context) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    errno = 0;
    std::ofstream out(to, std::ios::binary | std::ios::trunc);
    if (!out) fail_to_write(to);
    std::vector<char> buffer(ZSTD_CStreamOutSize());
    Sha256 digest;
    for_each_piece(from, ZSTD_CStreamInSize(), [&](ZSTD_inBuffer in, bool last) {
        for (bool done = false; !done;) {
            ZSTD_outBuffer piece{buffer.data(), buffer.size(), 0};
            const std::size_t left = ZSTD_compressStream2(context.get(), &piece, &in,
                                                          last ? ZSTD_e_end : ZSTD_e_continue);
            if (ZSTD_isError(left) != 0) fail_by_zstd(from, left, "not compressed");
            write_all(out, to, buffer.data(), piece.pos);
            add(digest, buffer.data(), piece.pos);
            done = last ? left == 0 : in.pos == in.size;
        }
    });
    out.close();
    if (!out) fail_to_write(to);
    return digest.hex();
}

// Calls `sink` with each decompressed piece. `packed`, where given, takes in the bytes as stored.
void decompress(const fs::path& file,
                const std::function<void(const char*, std::size_t)>& sink,
                Sha256* packed = nullptr) {
    const std::unique_ptr<ZSTD_DCtx, Free> context(ZSTD_createDCtx());
    if (!context) throw std::bad_alloc();
    std::vector<char> buffer(ZSTD_DStreamOutSize());
    std::size_t expected = 1;  // 0: a whole frame was read
    for_each_piece(file, ZSTD_DStreamInSize(), [&](ZSTD_inBuffer in, bool) {
        if (packed != nullptr) add(*packed, in.src, in.size);
        while (in.pos < in.size) {
            ZSTD_outBuffer piece{buffer.data(), buffer.size(), 0};
            expected = ZSTD_decompressStream(context.get(), &piece, &in);
            if (ZSTD_isError(expected) != 0) fail_by_zstd(file, expected, "damaged");
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
    return is_there(plain) || is_there(compressed_name(plain));
}

std::optional<std::string> read_raw(const fs::path& plain) {
    const bool is_plain = is_there(plain);
    if (!is_plain && !is_there(compressed_name(plain))) return std::nullopt;
    std::string content;
    const auto take = [&](const char* bytes, std::size_t size) {
        if (content.size() + size > most_text_bytes) {
            fail(plain, fmt::format("has more than {} MiB, which nothing of ours writes; it is not "
                                    "read",
                                    most_text_bytes >> 20));
        }
        content.append(bytes, size);
    };
    if (is_plain) {
        for_each_piece(plain, 1 << 16, [&](const ZSTD_inBuffer& piece, bool) {
            take(static_cast<const char*>(piece.src), piece.size);
        });
    } else {
        decompress(compressed_name(plain), take);
    }
    return content;
}

std::optional<Compressed> compress_raw(const fs::path& plain) {
    const fs::path packed = compressed_name(plain);
    Compressed sizes;
    if (is_there(plain)) {
        Unfinished unfinished(packed.string() + ".tmp");
        sizes.sha256 = compress_to(plain, unfinished.file());
        sizes.content_bytes = static_cast<std::int64_t>(fs::file_size(plain));
        std::error_code error;
        fs::rename(unfinished.file(), packed, error);
        if (error)
            unreachable(packed, "cannot be put in its place: " +
                                    engine::format::system_words(error.value()));
        unfinished.keep();
        fs::remove(plain, error);
        if (error)
            unreachable(plain, "cannot be removed: " + engine::format::system_words(error.value()));
    } else if (is_there(packed)) {
        Sha256 digest;
        decompress(
            packed,
            [&](const char*, std::size_t size) {
                sizes.content_bytes += static_cast<std::int64_t>(size);
            },
            &digest);
        sizes.sha256 = digest.hex();
    } else {
        return std::nullopt;
    }
    sizes.stored_bytes = static_cast<std::int64_t>(fs::file_size(packed));
    return sizes;
}

namespace {

// Two readers of one file at a time must not share it.
fs::path new_temporary(const fs::path& folder, const fs::path& name) {
    std::string file = (folder / name).string() + ".XXXXXX";
    const int descriptor = mkstemp(file.data());
    if (descriptor < 0) fail_to_write(file);
    close(descriptor);
    return file;
}

}  // namespace

PlainFile::PlainFile(const fs::path& plain, const fs::path& folder) : path_(plain) {
    if (is_there(plain)) return;
    Unfinished unfinished(
        new_temporary(folder.empty() ? plain.parent_path() : folder, plain.filename()));
    path_ = unfinished.file();
    std::ofstream out(path_, std::ios::binary | std::ios::trunc);
    if (!out) fail_to_write(path_);
    decompress(compressed_name(plain),
               [&](const char* bytes, std::size_t size) { write_all(out, path_, bytes, size); });
    out.close();
    if (!out) fail_to_write(path_);
    unfinished.keep();
    temporary_ = true;
}

PlainFile::~PlainFile() {
    std::error_code error;
    if (temporary_) fs::remove(path_, error);
}

}  // namespace reports::ingest
