/**
 * Passages of OHIF's scripts that are put in other words or done otherwise. Each stands in the release that we pin; a
 * passage that is not found ends the preparing.
 */
export const scriptPassages: readonly { what: string; theirs: string; ours: string }[] = [
  {
    // A SIGMOID window (PS3.3 C.11.2.1.3.1), usual in mammography, ends the drawing of an image in this release's
    // cornerstone. The linear window of the same centre and width replaces it, as in the quick viewer.
    what: 'the refusal of a window function',
    theirs: "throw new Error('Invalid VOI LUT function')",
    ours: 'return { lower: windowCenter - windowWidth / 2, upper: windowCenter + windowWidth / 2 }',
  },
  {
    // A date that is not there, as an unknown birth date; every place that shows one has room for nothing.
    what: 'words for a missing date',
    theirs: "defaultInvalidDate = 'Invalid date'",
    ours: "defaultInvalidDate = ''",
  },
  {
    what: 'the loader of images',
    theirs: "registerImageLoader)('wadors', wadors_loadImage)",
    ours: "registerImageLoader)('wadors', window.hilumLoader?.(wadors_loadImage) ?? wadors_loadImage)",
  },
  {
    // The page around has a switch for overlays of every kind; this one knows its own tool alone.
    what: 'the switch of overlays among the tools',
    theirs: "'ReferenceLines', 'ImageOverlayViewer', 'StackScroll'",
    ours: "'ReferenceLines', 'StackScroll'",
  },
  {
    // The choice of a report's measurements for a pane comes after the drawing of its image, now and then: without
    // drawing anew the measurements stayed away until the next move of the picture.
    what: 'measurements of a report in a pane',
    theirs: '    trackingUniqueIdentifiers,\n    activeIndex\n  };',
    ours: '    trackingUniqueIdentifiers,\n    activeIndex\n  };\n  viewport.render();',
  },
  {
    what: 'a study that is not there',
    theirs: '"One or more of the requested studies are not available at this time."), showStudyList &&',
    // the page has no head, and so no button of its own
    ours: '"This study cannot be shown any more. Close the viewer and open it again from the list."), react.createElement("button", {id: "hilum-close", type: "button", onClick: () => window.hilumClose()}, "Close"), showStudyList &&',
  },
  {
    // QIDO names the attribute without a value where no image has one (PS3.18 F.2.5): such a study was not found.
    what: 'the modalities of a study without any',
    theirs: 'i < ModalitiesInStudy.Value.length;',
    ours: 'i < (ModalitiesInStudy.Value ?? []).length;',
  },
  {
    // QIDO parts several by a backslash (PS3.5 6.2), which is no sign for people.
    what: 'the signs between modalities in the list of studies',
    theirs: 'modalities: qidoStudy.ModalitiesInStudy,',
    ours: "modalities: qidoStudy.ModalitiesInStudy?.replaceAll('\\\\', ',\\u00a0'),",
  },
  {
    what: 'the form of dates',
    theirs: `i18next/* ["default"].t */.A.t('Common:localDateFormat', 'DD-MMM-YYYY')) => {`,
    ours: "window.hilumDateFormat ?? 'DD-MMM-YYYY') => {",
  },
  {
    what: 'the form of dates in its newer parts',
    theirs: `i18next/* ["default"].t */.A.t('Common:localDateFormat', fallbackFormat);`,
    ours: 'window.hilumDateFormat ?? fallbackFormat;',
  },
  {
    what: 'the form of names',
    theirs: "const commaBetweenFirstAndLast = nameToUse.replace('^', ', ');",
    ours: "if (window.hilumName) return window.hilumName(nameToUse);\n  const commaBetweenFirstAndLast = nameToUse.replace('^', ', ');",
  },
  {
    // Opened at a series, the release waits for the descriptions of all others before it shows anything.
    what: 'the wait for other series than the one to be shown',
    theirs: `        const requiredSeriesPromises = retrieveSeriesMetadataPromise.map(promise => promise.start());
        allPromises.push(Promise.allSettled(requiredSeriesPromises));
      } else {`,
    ours: `        const isNamed = promise => initialSeriesInstanceUID?.includes(promise.metadata?.SeriesInstanceUID);
        const named = retrieveSeriesMetadataPromise.filter(isNamed);
        const needed = named.length > 0 ? named : retrieveSeriesMetadataPromise;
        allPromises.push(Promise.allSettled(needed.map(promise => promise.start())));
        remainingPromises.push(retrieveSeriesMetadataPromise.filter(promise => !needed.includes(promise)));
      } else {`,
  },
  {
    // Opened without a study, as the page around does ahead, the release would ask for one without a name.
    what: 'the studies of an address without any',
    theirs: 'return StudyInstanceUIDsAsArray;',
    ours: 'return StudyInstanceUIDsAsArray.filter(Boolean);',
  },
  {
    what: 'a failure of a part',
    theirs: '"Sorry, something went wrong there. Try again.":"Sorry, something went wrong there. Try again."',
    ours: '"Sorry, something went wrong there. Try again.":"Close the viewer and open it again. The images are safe."',
  },
  {
    what: 'the title of a failure',
    theirs: '"Something went wrong":"Something went wrong"',
    ours: '"Something went wrong":"A part of the viewer has stopped"',
  },
  {
    // it ends with the word false in the release
    what: 'the end of that title',
    theirs: "${!isProduction && ` ${t('in')} ${context}`}.",
    ours: '.',
  },
  {
    what: 'the words before the first picture',
    theirs: 'react.createElement("div", null, "Loading...")',
    ours: 'react.createElement("div", {className: "hilum-loading", role: "status"}, "Opening the pictures…")',
  },
  {
    // Nobody measures what shall not count: a measurement is listed, and can be saved, without a question first.
    what: 'the question before the first measurement of a series',
    theirs:
      'standardMode ? await _askTrackMeasurements(uiViewportDialogService, customizationService, viewportId) : RESPONSE.SET_STUDY_AND_SERIES',
    ours: 'RESPONSE.SET_STUDY_AND_SERIES',
  },
  {
    what: 'the colour of names of leads',
    theirs: "label: '#ffff00',",
    ours: "label: '#a3adb8',",
  },
  {
    what: 'the letters of names of leads',
    theirs: 'ctx.font = `${fontSize}px monospace`;',
    ours: 'ctx.font = `${fontSize * 0.8}px Inter, system-ui, sans-serif`;',
  },
  {
    what: 'the storing of reports',
    theirs: 'await wadoDicomWebClient.storeInstances(options);',
    ours: 'await window.hilumStore(options.datasets[0], dataset.StudyInstanceUID);',
  },
  {
    what: 'the button that stores measurements',
    theirs: "FI1.Add, null), t('Create SR'))",
    ours: "FI1.Add, null), react.createElement('span', {className: 'hilum-keep'}, 'Save'))",
  },
  {
    what: 'the word for stored measurements',
    theirs: '`${reportType} saved successfully`',
    ours: '`${reportType} were saved with the study. They stand in its Reports, too.`',
  },
  {
    what: 'the title of that word',
    theirs: "title: 'Create Report',\n      message: successMessage",
    ours: "title: 'Saved',\n      message: successMessage",
  },
  {
    what: 'the title of a report that was not stored',
    theirs: "title: 'Create Report',\n      message: error.message",
    ours: "title: 'Not saved',\n      message: error.message",
  },
  {
    what: 'the name of a report',
    theirs: "defaultSaveTitle = 'Create Report'",
    ours: "defaultSaveTitle = 'Measurements'",
  },
  {
    what: 'the name of a measurement without one',
    theirs: `_ohif_i18n__rspack_import_3/* ["default"].t */.A.t('MeasurementTable:empty');`,
    ours: 'window.hilumMeasurementName(measurement);',
  },
  {
    what: 'the colons between names and values of kept measurements',
    theirs: 'lines.push(`${_labelToShorthand(labelEntry.label)}: ${labelEntry.value}`);',
    ours: "lines.push([_labelToShorthand(labelEntry.label)?.replace(/: $/, ''), labelEntry.value].filter(Boolean).join(': '));",
  },
  {
    what: 'the question over a report of measurements',
    theirs: `i18n_src/* ["default"].t */.A.t('Do you want to continue tracking measurements for this study?');`,
    ours: "'These measurements are kept with the study. Go on with them, in a new report?';",
  },
  {
    what: 'the names of series in the list',
    theirs: "description: ds.SeriesDescription || '',",
    ours: 'description: window.hilumSeriesName(ds),',
  },
  {
    what: 'the numbers of series in the list',
    theirs: '}, " S:", seriesNumber)',
    ours: '}, window.hilumSeriesNumber(description, seriesNumber))',
  },
  {
    // Of a series without a number it would say "undefined".
    what: 'the names of series in menus',
    theirs:
      'label: instance.SeriesDescription || `${i18n_src/* ["default"].t */.A.t(\'Series\')} ${instance.SeriesNumber} - ${i18n_src/* ["default"].t */.A.t(instance.Modality)}`,',
    ours: 'label: window.hilumSeriesName({ SeriesDescription: instance.SeriesDescription, Modality: instance.Modality, instance }),',
  },
  {
    what: 'the thumbnails of series',
    theirs: 'imageSrc: thumbnailSrc || thumbnailImageSrcMap[displaySetInstanceUID],',
    ours: 'imageSrc: window.hilumThumbnail(ds, thumbnailSrc || thumbnailImageSrcMap[displaySetInstanceUID]),',
  },
  {
    what: 'the sides with a letter',
    theirs: "orientationMarkers = ['top', 'left']",
    ours: "orientationMarkers = ['top', 'left', 'right', 'bottom']",
  },
  {
    what: 'images that do not say where they lie',
    theirs: "if (isDefaultValueSetForColumnCosine || isDefaultValueSetForRowCosine) {\n        return '';",
    ours: "if (!window.hilumLetters(imageId, {left: '', right: '', top: '', bottom: ''})) {\n        return '';",
  },
  {
    what: 'the letters at the sides',
    theirs: 'const markers = _getOrientationMarkers(rowCosines, columnCosines);',
    ours: "const markers = window.hilumLetters(viewport.type === 'stack' ? viewport.getCurrentImageId() : undefined, _getOrientationMarkers(rowCosines, columnCosines)) ?? {};",
  },
  {
    // A view that somebody chose, which OHIF brings back with the series, stays as it is.
    what: 'the sense of greys of a stack',
    theirs: 'properties.invert = voiInverted ?? properties.invert;',
    ours: 'properties.invert = voiInverted ?? (window.hilumIsDarkOnLight(imageIds?.[0]) || properties.invert);',
  },
  {
    // Beside another series, PET lies over it in colours of its own.
    what: 'the sense of greys of a volume',
    theirs: 'if (voiInverted !== undefined) {\n        properties.invert = voiInverted;',
    ours: `if (voiInverted === undefined && colormap === undefined && filteredVolumeInputArray.length === 1 && window.hilumIsDarkOnLight(displaySetService.getDisplaySetByUID(volumeInput.displaySetInstanceUID)?.images?.[0]?.imageId))
        properties.invert = true;
      if (voiInverted !== undefined) {
        properties.invert = voiInverted;`,
  },
  {
    // The stored window counts in the values that are stored, and the volume in SUV.
    what: 'the window of a volume in SUV',
    theirs: 'let voi = getVOIFromMetadata(imageVolume);',
    ours: 'let voi = handlePreScaledVolume(imageVolume, getVOIFromMetadata(imageVolume));',
  },
  {
    what: 'the sense of greys of a stack that is put back',
    theirs: 'this.setInvertColor(this.initialInvert);',
    ours: 'this.setInvertColor(this.initialInvert || window.hilumIsDarkOnLight?.(this.getCurrentImageId()));',
  },
  {
    // The release puts back the greys of before it inverted them, and goes on as if they were inverted: a film that
    // stores bright as dark (MONOCHROME1) would be shown as its negative.
    what: 'the greys of a stack that is put back',
    theirs: '            this.setColormap(matchedColormap);\n        }\n    }\n    resetToDefaultProperties() {',
    ours: '            this.setColormap(matchedColormap);\n            this.invert = false;\n            this.setInvertColor(this.initialInvert || window.hilumIsDarkOnLight?.(this.getCurrentImageId()));\n        }\n    }\n    resetToDefaultProperties() {',
  },
]
