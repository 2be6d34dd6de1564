# The jobs of this project. What needs logic is a script or a program under cmd/dev.
# Needed beforehand: Go 1.26 or newer, and make. Everything else is installed on demand (setup-*).

# One set of tags and no other build flags, everywhere: each variation makes Go compile the OpenGL
# binding again. gles takes OpenGL ES 2, whose binding compiles in seconds where the one for
# OpenGL 2.1 takes ten minutes; migrated_fynedo says that the program calls the toolkit on its own
# goroutine only. ci puts the toolkit's test driver in place of its window, so that the window
# program, too, can be vetted and tested without cgo and for systems other than this one.
TAGS     := gles,migrated_fynedo
TESTTAGS := ci,migrated_fynedo
VERSION  := $(shell sed -n 's/^ *Version *= *"\(.*\)" *$$/\1/p' FyneApp.toml)
LDFLAGS   = -X main.version=$(or $(VERSION),$(error FyneApp.toml names no Version))

STEP    := cmd/dev/step.sh
GOVET   := go vet -tags $(TESTTAGS)
GOTEST  := env -u DISPLAY -u WAYLAND_DISPLAY CGO_ENABLED=0 go test -vet=off -tags $(TESTTAGS)
CORE    := ./app/... ./assets/... ./bench/... ./platform/...

# Windows has no OpenGL ES of its own, so there the window takes the binding that is slow to compile. The
# resources (icon, version, manifest) are made from assets/windows by a tool that is no part of the programs.
WINTAGS  := migrated_fynedo
WINBUILD := GOOS=windows go build -buildvcs=false -tags $(WINTAGS)
MINGW    := GOARCH=amd64 CGO_ENABLED=1 CC=x86_64-w64-mingw32-gcc
WINRES   := go run github.com/tc-hib/go-winres@v0.3.3
CHECKEXE  = go run ./cmd/dev/checkexe -version "$(VERSION)"

.DEFAULT_GOAL := help
.PHONY: help run build gui cli test check unit layout ui-tests race cover bench-fio bench-fio-loop bench-fio-limit bench-fio-delay bench-load bench-store check-cli check-report check-kill check-monitor check-copy test-filesystems test-lab check-window windows windows-cli test-windows \
	wine-tests wine-cli wine-window clean \
	setup-go setup-build setup-run setup-race setup-window setup-cli setup-report setup-monitor setup-fio setup-lab setup-windows setup-wine setup-wine-window

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

run: setup-run gui ## install what is missing, build the window program and open it
	bin/cachecliff

build: gui cli ## build both programs into bin/

gui: setup-build ## build bin/cachecliff, the window (needs a C compiler and X11 headers)
	CGO_ENABLED=1 go build -buildvcs=false -tags $(TAGS) -ldflags "$(LDFLAGS)" -o bin/cachecliff ./cmd/cachecliff

cli: setup-go ## build bin/cachecliff-cli, the command line (static; needs only Go)
	CGO_ENABLED=0 go build -buildvcs=false -tags $(TAGS) -ldflags "$(LDFLAGS)" -o bin/cachecliff-cli ./cmd/cachecliff-cli

test: setup-build check unit layout ui-tests ## everything below: check, all tests without a display, both programs built
	@$(STEP) "build of the command line, static" $(MAKE) --no-print-directory cli
	@$(STEP) "build of the window" $(MAKE) --no-print-directory gui

check: setup-go ## gofmt and go vet for Linux and Windows
	@$(STEP) "gofmt" cmd/dev/gofmt.sh
	@$(STEP) "go vet for linux" env CGO_ENABLED=0 GOOS=linux $(GOVET) ./...
	@$(STEP) "go vet for windows/amd64" env CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GOVET) ./...
	@$(STEP) "go vet for windows/arm64, without the window" env CGO_ENABLED=0 GOOS=windows GOARCH=arm64 $(GOVET) $(CORE) ./cmd/cachecliff-cli

unit: setup-go ## unit tests of everything but the window
	@$(STEP) "unit tests without cgo" $(GOTEST) $(CORE)

layout: setup-go ## the import rules and limits of the house (cmd/layout_test.go)
	@$(STEP) "import rules" $(GOTEST) ./cmd

ui-tests: setup-go ## tests of the window and the programs, without a display
	@$(STEP) "window tests without a display" $(GOTEST) ./ui/... ./cmd/...

race: setup-race ## the tests of everything but the window under the race detector
	CGO_ENABLED=1 go test -race -vet=off -tags $(TESTTAGS) $(CORE)

cover: setup-go ## test coverage of each package
	$(GOTEST) -cover ./...

# Options of bench-fio, for all its targets: ROWS="RND4K Q1T1,SEQ1M Q8T1 R0" ROUNDS=7 TIME=2s FRESH=1
# DEVICES="delayfs loop throttled" STATE=FILE, and ARGS for options of the program itself.
BENCHARGS = $(if $(ROWS),-rows "$(ROWS)") $(if $(ROUNDS),-rounds $(ROUNDS)) $(if $(TIME),-time $(TIME)) $(if $(FRESH),-fresh) $(ARGS)

bench-fio: setup-fio cli ## compare with fio: make bench-fio DIR=/mnt/drive, or FULL=1 for the project's three devices (root)
	$(if $(FULL),$(if $(DEVICES),DEVICES="$(DEVICES)") $(if $(STATE),STATE="$(STATE)") cmd/dev/bench-full.sh, \
		CGO_ENABLED=0 go run ./cmd/dev/benchfio -dir "$(or $(DIR),$(error say where, for example: make bench-fio DIR=/mnt/drive, or make bench-fio FULL=1))") \
		$(BENCHARGS)

bench-fio-loop: setup-fio ## the same on a device in memory, where the processor is the limit (root)
	cmd/dev/bench-loop.sh $(BENCHARGS)

bench-fio-limit: setup-fio ## the same on a device with a known limit (root)
	cmd/dev/bench-throttled.sh $(BENCHARGS)

bench-fio-delay: setup-fio ## the same on a file system with programmed latency (root)
	cmd/dev/bench-delayfs.sh $(BENCHARGS)

bench-load: setup-fio ## how near rates that are asked for are reached, at 20, 50 and 80 % of the most (root)
	cmd/dev/bench-loop.sh -loads "$(or $(LOADS),20,50,80)" $(BENCHARGS)

bench-store: setup-go ## how long a thousand results take to be listed, with the index and without
	$(GOTEST) -run '^$$' -bench '^BenchmarkList$$' -benchtime 20x ./app/store

check-cli: setup-cli cli ## run the command line on real file systems and look at what it leaves behind
	cmd/dev/check-cli.sh

check-kill: setup-cli cli ## kill a fill test at twenty random moments and look at what is kept and what is left
	cmd/dev/check-kill.sh

check-report: setup-report cli ## open HTML reports in Chromium and look that they ask for nothing; pictures stay in bin/report
	cmd/dev/check-report.sh

check-monitor: setup-monitor cli ## set the monitor beside iostat: make check-monitor DIR=/mnt/drive
	cmd/dev/check-monitor.sh "$(or $(DIR),.)"

test-filesystems: ## make each file system and look at what is said of its numbers (root): make test-filesystems ARGS='btrfs*'
	cmd/dev/check-filesystems.sh $(ARGS)

check-copy: ## copy on each file system, verified, and beside cp and sync (root): make check-copy ARGS='btrfs cp'
	cmd/dev/check-copy.sh $(ARGS)

test-lab: setup-lab cli ## look at drives, layers, faults and rare file systems in a virtual PC: make test-lab ARGS='drives pulled'
	cmd/dev/test-lab.sh $(ARGS)

check-window: setup-window gui ## drive the real window on a display in memory and look at the outcome
	cmd/dev/check-window.sh

windows: setup-windows windows-cli cmd/cachecliff/rsrc_windows_amd64.syso ## build both programs for Windows into bin/ (the first time: ten minutes or more)
	$(MINGW) $(WINBUILD) -ldflags "$(LDFLAGS) -H=windowsgui" -o bin/cachecliff.exe ./cmd/cachecliff
	$(CHECKEXE) -gui -name cachecliff.exe bin/cachecliff.exe

windows-cli: setup-go cmd/cachecliff-cli/rsrc_windows_amd64.syso ## build the command line for Windows on x86 and ARM (needs only Go)
	GOARCH=amd64 CGO_ENABLED=0 $(WINBUILD) -ldflags "$(LDFLAGS)" -o bin/cachecliff-cli.exe ./cmd/cachecliff-cli
	GOARCH=arm64 CGO_ENABLED=0 $(WINBUILD) -ldflags "$(LDFLAGS)" -o bin/cachecliff-cli-arm64.exe ./cmd/cachecliff-cli
	$(CHECKEXE) -name cachecliff-cli.exe bin/cachecliff-cli.exe
	$(CHECKEXE) -name cachecliff-cli.exe -arch arm64 bin/cachecliff-cli-arm64.exe

test-windows: setup-wine-window windows wine-tests wine-cli wine-window ## all of this under Wine: the tests, the command line, the window

wine-tests: setup-wine ## run the tests for Windows under Wine: make wine-tests PACKAGES=./platform/host
	@$(STEP) "tests for Windows under Wine" cmd/dev/test-windows.sh $(PACKAGES)

wine-cli: setup-wine windows-cli ## run the command line for Windows under Wine, and look at counts and bytes
	@$(STEP) "command line for Windows under Wine" cmd/dev/check-cli-windows.sh

wine-window: setup-wine-window windows ## drive the window for Windows under Wine, with OpenGL and without
	@$(STEP) "window for Windows under Wine" cmd/dev/check-window-windows.sh

cmd/%/rsrc_windows_amd64.syso cmd/%/rsrc_windows_arm64.syso: assets/windows/%.json FyneApp.toml $(wildcard assets/icons/*.png)
	$(WINRES) make --in $< --arch amd64,arm64 --product-version "$(VERSION)" --file-version "$(VERSION).0" --out cmd/$*/rsrc

clean: ## remove what was built
	rm -rf bin cmd/*/*.syso

setup-go:
	@cmd/dev/setup.sh go
setup-build:
	@cmd/dev/setup.sh build
setup-run:
	@cmd/dev/setup.sh build run
setup-race:
	@cmd/dev/setup.sh race
setup-window:
	@cmd/dev/setup.sh build run window
setup-cli:
	@cmd/dev/setup.sh cli
setup-windows:
	@cmd/dev/setup.sh windows
setup-wine:
	@cmd/dev/setup.sh windows wine
setup-wine-window:
	@cmd/dev/setup.sh windows wine run window
setup-report:
	@cmd/dev/setup.sh go report
setup-monitor:
	@cmd/dev/setup.sh monitor
setup-fio:
	@cmd/dev/setup.sh fio
setup-lab:
	@cmd/dev/setup.sh lab filesystems
