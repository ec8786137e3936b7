// SPDX-License-Identifier: Apache-2.0
// A stored capture as a plain file for as long as it is read.
#pragma once

#include <filesystem>

#include "engine/format/system_words.h"
#include "probes/capture/reader.h"
#include "reports/export/raw_trial.h"
#include "reports/ingest/raw_file.h"

namespace reports::exports {

// Where captures are decompressed: $TMPDIR, else /tmp. Throws PlaceError when that is no folder.
std::filesystem::path temporary_folder();

// `error` with the name of the temporary folder's variable, when it speaks of that folder.
std::string with_the_place(const std::string& error, const std::filesystem::path& folder);

// Calls `read` with a plain file, decompressed outside the store where needed: a store may be of
// someone else. What is wrong with it is told by the name that the person knows.
template <class Read>
auto with_capture(const std::filesystem::path& plain, Read&& read) {
    const std::filesystem::path folder = temporary_folder();
    try {
        const ingest::PlainFile file(plain, folder);
        return read(file.path());
    } catch (const probes::capture::CaptureError& error) {
        throw ExportError(plain.string() + ": " + error.what());
    } catch (const probes::capture::CaptureUnreadable& error) {
        throw ExportError(plain.string() + ": cannot be read: " +
                          engine::format::system_words(error.code().value()));
    } catch (const ingest::RawFileError& error) {
        throw ExportError(error.what());
    } catch (const ingest::RawFileUnreachable& error) {
        throw ExportError(with_the_place(error.what(), folder));
    }
}

}  // namespace reports::exports
