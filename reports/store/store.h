// SPDX-License-Identifier: Apache-2.0
// The store: a folder with tare.db (SQLite) and raw/<run>/<trial>.* beside it. Only files of this
// folder include the SQLite wrapper; everyone else passes plain records.
//
// Each call is one transaction: killing the process at any moment leaves a readable store.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/records/run.h"

namespace reports {

// The message says which file, what failed, SQLite's own words, and what to do.
struct StoreError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A limit of the process or a lack of the machine (open files, memory, space, a failing disk):
// nothing is wrong with the store, and nothing to correct on the command line.
struct MachineLacks : StoreError {
    using StoreError::StoreError;
};

struct DiskFull : MachineLacks {
    using MachineLacks::MachineLacks;
};

// A run that is finished, or that another process goes on with.
struct NotCutOff : StoreError {
    using StoreError::StoreError;
};

// What to do while another process writes to the store.
struct Patience {
    double longest_s = 30;  // then StoreError
    // Told every 100 ms or so, with the seconds waited; false: stop waiting.
    std::function<bool(double waited_s)> waiting = {};
};

// --store DIR, else $TARE_STORE, else .tare/ of the enclosing git checkout, else
// $XDG_DATA_HOME/tare (~/.local/share/tare).
std::filesystem::path store_folder(const std::optional<std::string>& option);

struct RunSummary {
    Run run;
    std::string scenario;
    std::string machine_class;
    std::optional<std::string> commit;
    int arms = 0;
    int trials = 0;
    int valid_trials = 0;
    int void_trials = 0;  // of `trials`: they count for nothing
    std::int64_t raw_bytes = 0;
    std::optional<std::string> verdict;  // of a comparison or a gate that ended
    std::optional<std::int64_t> exit_code;
};

class Store {
  public:
    enum class Access { read_write, read_only };

    // Creates the folder and the schema, or migrates an older file after backing it up (in one
    // transaction). A newer file is refused with both versions in the message.
    Store(std::filesystem::path folder,
          Access access = Access::read_write,
          const Patience& patience = {});
    ~Store();
    Store(Store&&) noexcept;

    const std::filesystem::path& folder() const;
    std::filesystem::path raw_folder(Id run) const;  // raw/<run>
    int schema_version() const;

    // Written before the first trial; the plan never changes after it.
    Id begin_run(const Run& run,
                 const Scenario& scenario,
                 const Machine& machine,
                 const Plan& plan);
    Id add_arm(Id run, const Arm& arm, const Build& build, const std::optional<Model>& model);
    Id begin_trial(Id run, Id arm, const Trial& trial);
    void finish_trial(Id trial, const Trial& outcome);
    // "finished", "interrupted", "failed". Runs still "running" whose process is gone are shown
    // as "interrupted".
    void finish_run(Id run, const std::string& status, const std::string& note);
    // This process goes on with a run that was cut off. Throws NotCutOff; of several processes that
    // try, one gets it.
    void resume_run(Id run);
    // Trials of the rounds `first` to `last` count for nothing from now on.
    void void_rounds(Id run, int first, int last, const std::string& why);
    void set_roof(Id run, const Roof& roof);

    std::vector<RunSummary> list() const;
    // RUN as users write it: an id, "latest", or nullopt for latest. Throws StoreError.
    Id resolve_run(const std::optional<std::string>& text) const;

    // Deletes runs and their raw files. Returns bytes freed.
    std::int64_t prune(const std::vector<Id>& runs, bool raw_only);

    struct Impl;  // reports/store internals; ingest and queries live in reports/ too
    Impl& impl() const;

  private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace reports
