// SPDX-License-Identifier: Apache-2.0
// Preloaded into a process: a disk that is full after a number of bytes, at the same byte each
// time. Counts what is written to files below $DISK_FULL_UNDER, over all processes that share the
// 8-byte file $DISK_FULL_COUNTER, and from $DISK_FULL_AFTER bytes on answers ENOSPC.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

// Trivial types only: the first write may come before any constructor has run.
using Counter = std::atomic<long long>;

struct Disk {
    Counter* written = nullptr;
    long long limit = 0;
    char under[4096] = "";
    std::size_t under_size = 0;
};

Disk make_disk() {
    Disk disk;
    const char* under = std::getenv("DISK_FULL_UNDER");
    const char* after = std::getenv("DISK_FULL_AFTER");
    const char* counter = std::getenv("DISK_FULL_COUNTER");
    if (under == nullptr || after == nullptr || counter == nullptr) return disk;
    const int fd = open(counter, O_RDWR | O_CLOEXEC);
    if (fd < 0) return disk;
    void* shared = mmap(nullptr, sizeof(Counter), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (shared == MAP_FAILED) return disk;
    disk.written = static_cast<Counter*>(shared);
    disk.limit = std::atoll(after);
    disk.under_size = std::strlen(under);
    std::memcpy(disk.under, under, disk.under_size);
    return disk;
}

const Disk& disk() {
    static const Disk one = make_disk();
    return one;
}

bool is_below(int fd) {
    if (disk().written == nullptr) return false;
    char link[64], path[4096];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t size = readlink(link, path, sizeof path);
    return size > 0 && static_cast<std::size_t>(size) > disk().under_size &&
           std::memcmp(path, disk().under, disk().under_size) == 0;
}

// How many of `wanted` bytes still fit; they are counted. -1 with errno: none.
ssize_t fitting(int fd, std::size_t wanted) {
    if (!is_below(fd) || wanted == 0) return static_cast<ssize_t>(wanted);
    const long long before = disk().written->fetch_add(static_cast<long long>(wanted));
    const long long left = disk().limit - before;
    if (left >= static_cast<long long>(wanted)) return static_cast<ssize_t>(wanted);
    if (left > 0) return static_cast<ssize_t>(left);
    errno = ENOSPC;
    return -1;
}

bool is_full(int fd) {
    if (!is_below(fd) || disk().written->load() < disk().limit) return false;
    errno = ENOSPC;
    return true;
}

template <class Function>
Function* real(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// Growing a file takes space, cutting one does not.
bool grows_past_the_end(int fd, off_t length) {
    struct stat status {};

    return fstat(fd, &status) == 0 && length > status.st_size && is_full(fd);
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* bytes, std::size_t size) {
    static auto* const next = real<ssize_t(int, const void*, std::size_t)>("write");
    const ssize_t fits = fitting(fd, size);
    return fits < 0 ? fits : next(fd, bytes, static_cast<std::size_t>(fits));
}

ssize_t pwrite(int fd, const void* bytes, std::size_t size, off_t at) {
    static auto* const next = real<ssize_t(int, const void*, std::size_t, off_t)>("pwrite");
    const ssize_t fits = fitting(fd, size);
    return fits < 0 ? fits : next(fd, bytes, static_cast<std::size_t>(fits), at);
}

ssize_t pwrite64(int fd, const void* bytes, std::size_t size, off64_t at) {
    return pwrite(fd, bytes, size, at);
}

// Short writes are what a nearly full disk gives: the first part that does not fit ends it.
ssize_t writev(int fd, const iovec* parts, int count) {
    static auto* const next = real<ssize_t(int, const iovec*, int)>("writev");
    if (!is_below(fd)) return next(fd, parts, count);
    ssize_t total = 0;
    for (int i = 0; i < count; ++i) {
        const ssize_t done = write(fd, parts[i].iov_base, parts[i].iov_len);
        if (done < 0) return total > 0 ? total : done;
        total += done;
        if (static_cast<std::size_t>(done) < parts[i].iov_len) break;
    }
    return total;
}

int ftruncate(int fd, off_t length) noexcept {
    static auto* const next = real<int(int, off_t)>("ftruncate");
    return grows_past_the_end(fd, length) ? -1 : next(fd, length);
}

int ftruncate64(int fd, off64_t length) noexcept {
    return ftruncate(fd, length);
}

int fallocate(int fd, int mode, off_t at, off_t length) {
    static auto* const next = real<int(int, int, off_t, off_t)>("fallocate");
    return is_full(fd) ? -1 : next(fd, mode, at, length);
}

int fallocate64(int fd, int mode, off64_t at, off64_t length) {
    return fallocate(fd, mode, at, length);
}

int posix_fallocate(int fd, off_t at, off_t length) {
    static auto* const next = real<int(int, off_t, off_t)>("posix_fallocate");
    return is_full(fd) ? ENOSPC : next(fd, at, length);
}

int fsync(int fd) {
    static auto* const next = real<int(int)>("fsync");
    return is_full(fd) ? -1 : next(fd);
}

int fdatasync(int fd) {
    static auto* const next = real<int(int)>("fdatasync");
    return is_full(fd) ? -1 : next(fd);
}

}  // extern "C"
