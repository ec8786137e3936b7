// SPDX-License-Identifier: Apache-2.0
// Exit codes and messages of exceptions.
#include "engine/commands/report_errors.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <exception>
#include <filesystem>
#include <new>
#include <system_error>

#include "engine/commands/output.h"
#include "engine/commands/usage_error.h"
#include "engine/format/file_message.h"
#include "engine/format/standard_streams.h"
#include "engine/model/finite.h"
#include "engine/model/not_enough_memory.h"

namespace engine::commands {
namespace {

constexpr int exit_usage = 2;
constexpr int exit_invalid = 4;

// A limit is the likely reason: Linux rarely refuses otherwise.
std::string memory_limit() {
    rlimit limit{};
    const bool limited = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return limited ? fmt::format(
                         "this process may take {} bytes of address space (ulimit -v); "
                         "raise that limit",
                         limit.rlim_cur)
                   : "end other programs";
}

std::string memory_message(std::string_view what) {
    return fmt::format("{}: {}, or ask for fewer tokens, fewer --threads or a smaller model", what,
                       memory_limit());
}

int said(std::string_view program, std::string_view message, int code) {
    say(fmt::format("{}: {}", program, message));
    return code;
}

}  // namespace

int report_errors(std::string_view program, const std::function<int()>& run) {
    try {
        return run();
    } catch (const UsageError& error) {
        return said(program, error.what(), exit_usage);
    } catch (const model::BadWeights& error) {
        return said(program, error.what(), exit_usage);
    } catch (const format::OutputLost& lost) {
        return lost.reader_gone ? exit_invalid : said(program, lost.what(), exit_invalid);
    } catch (const model::NotEnoughMemory& error) {
        return said(program, memory_message(error.what()), exit_usage);
    } catch (const std::bad_alloc&) {
        return said(program, memory_message("not enough memory"), exit_usage);
    } catch (const std::filesystem::filesystem_error& error) {
        return said(program, format::file_message(error), exit_usage);
    } catch (const std::system_error& error) {  // only threads are left
        return said(program,
                    fmt::format("the system refuses what is asked for: {}; use fewer --threads, or "
                                "raise the limits of processes (ulimit -u) and memory (ulimit -v)",
                                error.code().message()),
                    exit_usage);
    } catch (const std::exception& error) {
        return said(program, fmt::format("failure: {}", error.what()), exit_invalid);
    }
}

}  // namespace engine::commands
