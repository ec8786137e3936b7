// SPDX-License-Identifier: Apache-2.0
// Enumerations as the words the store, the reports and the command line use.
#include "reports/records/run.h"

namespace reports {

const char* name(Mode mode) {
    switch (mode) {
        case Mode::timed:
            return "timed";
        case Mode::profiled:
            return "profiled";
        case Mode::counters:
            return "counters";
    }
    return "";
}

const char* name(Direction direction) {
    switch (direction) {
        case Direction::lower:
            return "lower";
        case Direction::higher:
            return "higher";
        case Direction::exact:
            return "exact";
        case Direction::none:
            return "none";
    }
    return "";
}

}  // namespace reports
