// SPDX-License-Identifier: Apache-2.0
#include "engine/format/system_words.h"

#include <cerrno>
#include <system_error>

namespace engine::format {
namespace {

const char* remedy(int error) {
    switch (error) {
        case EMFILE:
            return "raise this process's limit of open files (ulimit -n) and run again";
        case ENFILE:
            return "the whole machine has no more; close programs or raise fs.file-max, and run "
                   "again";
        case ENOMEM:
            return "raise the limit of memory (ulimit -v, the container's) or close programs, and "
                   "run again";
        case EFBIG:
            return "raise this process's limit of file size (ulimit -f) and run again";
        case ENOSPC:
            return "no space is left; free some (tare prune)";
        case EDQUOT:
            return "free some of your own space on this disk (tare prune), or raise the quota";
        case EROFS:
            return "name a folder on a file system that may be written";
        case EACCES:
        case EPERM:
            return "check the owner and the permissions of the file and of its folders";
        case ENOENT:
        case ENOTDIR:
        case EISDIR:
            return "check the path";
        default:
            return "check the disk";
    }
}

}  // namespace

bool is_lack(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EFBIG ||
           error == ENOSPC || error == EDQUOT || error == EIO;
}

std::string system_words(int error) {
    if (error == 0) return "unknown reason; check the disk";
    return std::generic_category().message(error) + ": " + remedy(error);
}

}  // namespace engine::format
